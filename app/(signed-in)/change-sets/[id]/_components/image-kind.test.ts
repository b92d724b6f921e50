import { expect, test } from "vitest";
import { imageTypeOf } from "./image-kind";

const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64");

test("only what begins like an image that runs nothing is one", () => {
  expect(imageTypeOf(base64("\x89PNG\r\n\x1a\n0000IHDR........"))).toBe("image/png");
  expect(imageTypeOf(base64("\xff\xd8\xff\xe0 a JPEG here ....."))).toBe("image/jpeg");
  expect(imageTypeOf(base64("GIF89a................."))).toBe("image/gif");
  expect(imageTypeOf(base64("RIFF....WEBPVP8 ........"))).toBe("image/webp");
  for (const text of [
    "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'>",
    "<html><script>",
    "%PDF-1.7",
    "",
  ]) {
    expect(imageTypeOf(base64(text))).toBeNull();
  }
});
