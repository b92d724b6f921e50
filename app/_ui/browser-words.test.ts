import { expect, test } from "vitest";
import { browserWords } from "./browser-words";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/156.0.0.0 Safari/537.36`, "Chrome on Linux"],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/130.0 Safari/537.36 Edg/130.0`,
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 14.6; rv:131.0) Gecko/20100101 Firefox/131.0", "Firefox on macOS"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
    "Safari on iOS",
  ],
  [`Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/130.0 Mobile Safari/537.36`, "Chrome on Android"],
  ["curl/8.9.1", "curl/8.9.1"],
])("%s is %s", (userAgent, words) => {
  expect(browserWords(userAgent)).toBe(words);
});

test("one that says nothing is unknown", () => {
  expect(browserWords(null)).toBe("An unknown browser");
});
