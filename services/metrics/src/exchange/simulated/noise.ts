export function hash(text: string, ...numbers: number[]): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  for (const number of numbers) {
    state = Math.imul(state ^ (number | 0), 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35) ^ (state >>> 16);
  }
  return state >>> 0;
}

const unit = (seed: number, at: number) => hash('', seed, at) / 0x7fffffff - 1;

export function smooth(seed: number, at: number, period: number): number {
  const place = at / period;
  const index = Math.floor(place);
  const part = place - index;
  const weight = part * part * (3 - 2 * part);
  return unit(seed, index) * (1 - weight) + unit(seed, index + 1) * weight;
}
