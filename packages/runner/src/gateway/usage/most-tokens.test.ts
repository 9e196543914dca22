import { mostTokens } from './most-tokens';
import { TOKENS_PER_IMAGE } from './sized-text';

const most = (request: object | string, hasOutput = true) => {
  const text = typeof request === 'string' ? request : JSON.stringify(request);
  return { ...mostTokens(Buffer.from(text), hasOutput), bytes: Buffer.byteLength(text) };
};

describe('mostTokens()', () => {
  it.each<[number, object]>([
    [70, { max_tokens: 70 }],
    [80, { max_tokens: 70, max_completion_tokens: 80 }],
    [90, { max_output_tokens: 90 }],
    [60, { generationConfig: { maxOutputTokens: 30, candidateCount: 2 } }],
    [210, { max_tokens: 70, n: 3 }],
    [420, { max_tokens: 70, n: 2, best_of: 3, prompt: ['one', 'two'] }],
    [128_000, {}],
    [128_000, { max_tokens: -1, n: 'x' }],
    [128_000, { max_tokens: '70', generationConfig: 7 }],
  ])('allows %p output tokens for %p', (output, request) => {
    expect(most(request)).toMatchObject({ output, isLimited: output !== 128_000 });
  });

  it('allows the largest output for a body that is not JSON, and no output for embeddings', () => {
    expect(most('x').output).toBe(128_000);
    expect(most({ max_tokens: 70 }, false).output).toBe(0);
  });

  it('counts one token per byte, 1,000 tokens for text that the provider adds, and at most the limit for an image', () => {
    const { input, bytes } = most({ messages: ['é'.repeat(50)] });
    expect(input).toBe(bytes + 1_000);
    const image = most({ data: `iVBORw0KGgo${'A'.repeat(1_400_000)}` });
    expect(image.input).toBeLessThan(TOKENS_PER_IMAGE * 4 + 1_100);
  });
});
