import next from "eslint-config-next";
import tseslint from "typescript-eslint";

/** Domains in their order: a domain imports only from its left. A call to the right is an event or a port. */
const order = [
  "platform",
  "access",
  "idempotency",
  "events",
  "settings",
  "people",
  "meter",
  "sandboxd",
  "egress",
  "git",
  "projects",
  "workspaces",
  "changesets",
  "intents",
  "inbox",
  "demo",
  "api",
];
const processFolders = ["docker-proxy"];

const layers = order.map((layer, index) => ({
  files: [`server/${layer}/**/*.ts`],
  ignores: ["**/*.test.ts"],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          ...order.slice(index + 1).map((right) => ({
            group: [`**/${right}/*`],
            message: `${layer} stands left of ${right}: turn the call into an event or take a port in deps.`,
          })),
          { group: ["**/entry/*"], message: "Only app/ and the processes' mains see entry/." },
          { group: ["**/testing/*"], message: "Test doubles stay in tests." },
          ...(layer === "api"
            ? []
            : [{ group: ["@trpc/*"], message: "Throw a DomainError; only server/api speaks tRPC." }]),
          { group: ["next", "next/*", "react"], message: "The server does not know the pages." },
        ],
      },
    ],
  },
}));

export default tseslint.config(
  {
    ignores: [
      "node_modules",
      ".next",
      "dist",
      ".data",
      "generated",
      "next-env.d.ts",
      "test-results",
      // A repository of its own, which the demo pushes.
      "scripts/demo/sample",
    ],
  },
  ...next,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "no-empty": ["error", { allowEmptyCatch: false }],
      "no-console": "error",
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // The builders of server/api/trpc.ts have types that only inference can write.
    files: ["server/**/*.ts"],
    ignores: ["server/api/trpc.ts"],
    rules: { "@typescript-eslint/explicit-module-boundary-types": "error" },
  },
  {
    files: ["server/**/*.ts"],
    ignores: ["server/platform/**", "server/entry/**", "server/testing/**", "**/*.test.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        { name: "setTimeout", message: "Take a Clock in deps." },
        { name: "setInterval", message: "Take a Clock in deps." },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: "Take a Clock in deps.",
        },
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: "Take a Clock in deps.",
        },
        {
          selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
          message: "Take Ids in deps.",
        },
        { selector: "CallExpression[callee.name='randomUUID']", message: "Take Ids in deps." },
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: "Settings arrive in deps.",
        },
        { selector: "ExportDefaultDeclaration", message: "Name what you export." },
      ],
    },
  },
  ...layers,
  {
    files: processFolders.map((folder) => `server/${folder}/**/*.ts`),
    ignores: ["**/*.test.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: ["**/egress/*", "**/git/*", "**/api/*", "**/entry/*", "**/testing/*"],
              message:
                "The socket proxy knows the engine's rules (sandboxd/container-spec) and platform only.",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["**/*.test.ts", "e2e/**/*.ts", "server/testing/**/*.ts"],
    rules: { "max-lines-per-function": "off", "max-lines": ["error", 600] },
  },
  {
    files: ["scripts/**/*.{ts,mjs}", "bench/**/*.ts", "sandbox-image/**/*.ts"],
    rules: { "no-console": "off" },
  },
  // `use` is what Playwright calls the rest of a test.
  { files: ["e2e/**/*.ts"], rules: { "react-hooks/rules-of-hooks": "off" } },
  { files: ["**/*.mjs"], ...tseslint.configs.disableTypeChecked },
);
