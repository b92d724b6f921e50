/**
 * Finds every place at which `needle` stands in `hay`, overlapping ones too, in order. Linear in both, whatever they hold.
 * `needle` is not empty. Source: Knuth, Morris and Pratt.
 */
export function findAll(hay: Uint8Array, needle: Uint8Array): number[] {
  const borders = bordersOf(needle);
  const places: number[] = [];
  let matched = 0;
  for (let index = 0; index < hay.length; index++) {
    const byte = hay[index];
    while (matched > 0 && needle[matched] !== byte) matched = borders[matched - 1] ?? 0;
    if (needle[matched] === byte) matched++;
    if (matched === needle.length) {
      places.push(index + 1 - matched);
      matched = borders[matched - 1] ?? 0;
    }
  }
  return places;
}

/** For each prefix the length of its longest beginning that is its end too. */
function bordersOf(needle: Uint8Array): Uint32Array {
  const borders = new Uint32Array(needle.length);
  let length = 0;
  for (let index = 1; index < needle.length; index++) {
    while (length > 0 && needle[length] !== needle[index]) length = borders[length - 1] ?? 0;
    if (needle[length] === needle[index]) length++;
    borders[index] = length;
  }
  return borders;
}
