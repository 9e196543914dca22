const MAX_NAME = 255;

export function cleanFilename(name: string): string {
  const segment = name.split(/[\\/]/).at(-1) ?? '';
  const clean = segment
    .toWellFormed()
    .replace(INVISIBLE, (_, kept = '') => kept)
    .trim();
  if (/^\.*$/.test(clean)) return 'file';
  if (clean.length <= MAX_NAME) return clean;
  const [extension] = EXTENSION.exec(clean) ?? [''];
  const stem = clean.slice(0, MAX_NAME - extension.length);
  // Truncation may leave half of a surrogate pair, which PostgreSQL cannot store.
  return stem.replace(/[\uD800-\uDBFF]$/, '') + extension;
}

const EXTENSION = /(?:\.[\p{L}\p{N}_-]{1,16}){1,2}$/u;

/** Joiners change the shape of letters in some scripts; in other scripts they are invisible. */
const JOINER = String.raw`(?<=[\p{L}\p{M}])(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])[\u200C\u200D](?=[\p{L}\p{M}])`;
const FINAL_JOINER = String.raw`(?<=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u200C\u200D]`;
const EMOJI_JOINER = String.raw`(?<=\p{ExtPict}|\p{EMod}|\uFE0F)\u200D(?=\p{ExtPict})`;
/** Flags of regions such as Scotland are a black flag with tag characters. */
const FLAG = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}`;

const INVISIBLE = new RegExp(
  `(${JOINER}|${FINAL_JOINER}|${EMOJI_JOINER}|${FLAG})|[\\p{Cc}\\p{Cf}\\uFFFD]`,
  'gu',
);
