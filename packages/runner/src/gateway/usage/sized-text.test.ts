import { bytesOfText, sizeText, TOKENS_PER_IMAGE, tokensIn } from './sized-text';

const PNG = `iVBORw0KGgo${'A'.repeat(1_000_000)}`;
const IMAGE_BYTES = TOKENS_PER_IMAGE * 4;

function sized(text: string, step = text.length): number {
  const size = sizeText();
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += step) size.write(all.subarray(at, at + step));
  return size.bytes();
}

describe('sizeText()', () => {
  it.each([
    ['Anthropic', { source: { type: 'base64', media_type: 'image/png', data: PNG } }],
    ['Chat Completions', { image_url: { url: `data:image/png;base64,${PNG}` } }],
    ['Responses', { type: 'input_image', image_url: `data:image/png;base64,${PNG}` }],
    ['Gemini', { inlineData: { mimeType: 'image/png', data: PNG } }],
  ])('counts the maximum cost for an image in the format of %s', (_, part) => {
    const text = JSON.stringify({ text: 'a "quoted" \\ word', parts: [part, part] });
    const around = JSON.stringify({ text: 'a "quoted" \\ word', parts: [] }).length;
    for (const step of [text.length, 1_009]) {
      expect(sized(text, step)).toBeLessThan(around + 2 * (IMAGE_BYTES + 200));
      expect(tokensIn(sized(text, step))).toBeGreaterThan(2 * TOKENS_PER_IMAGE);
    }
  });

  it.each([
    ['text that equals the image', { text: PNG }],
    ['an image with other characters in it', { data: `${PNG} ` }],
    ['a small image', { data: PNG.slice(0, 1_000) }],
    ['a file that is not an image', { data: 'JVBERi0xLjcK'.repeat(10_000) }],
    ['an image as an element of a list', { data: [PNG] }],
  ])('counts the bytes of %s', (_, part) => {
    const text = JSON.stringify(part);
    expect(sized(text, 777)).toBe(text.length);
  });

  it.each(['{"a":"\\"","data":"\\\\"} é', 'not "JSON', ''])(
    'counts the bytes of %s for any split into chunks',
    (text) => {
      for (const step of [1, 2, 100]) expect(sized(text, step)).toBe(Buffer.byteLength(text));
    },
  );
});

it.each([
  ['data', PNG, IMAGE_BYTES],
  ['text', PNG, PNG.length],
  ['data', 'é', 2],
])(
  'bytesOfText(%p, …) counts the limit for an image, and the bytes for text',
  (name, text, bytes) => {
    expect(bytesOfText(name, text)).toBe(bytes);
  },
);
