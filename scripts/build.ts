import { buildCheckout } from "./stack/build";
import { OperatorError } from "./stack/operator-error";
import { createProgress } from "./stack/progress";

try {
  await buildCheckout(createProgress(process.stdout));
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
