const steps = [
  60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400, 172_800, 345_600,
];

/** The top of a scale of seconds: the first round amount that holds the largest value, so that its half is round too. */
export function topOfScale(largest: number): number {
  return steps.find((step) => step >= largest) ?? Math.ceil(largest / 172_800) * 172_800;
}
