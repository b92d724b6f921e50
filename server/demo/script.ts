/** The words of the demo, wherever it is started. */
export const demoWords = {
  projectName: "Demo: invoice totals",
  changeTitle: "Totals are wrong",
  taskTitle: "Take the discount off",
  taskInstructions: "The test of the discount fails. Find out why and mend it.",
  tokenLabel: "demo",
  commitMessage: "Totals of invoices",
  author: { name: "Rhumbatron demo", email: "demo@rhumbatron.invalid" },
};
