import { untilDecided } from './until-decided';

describe('untilDecided', () => {
  it('repeats the statement until it returns a decision', async () => {
    const decided = [null, null, 'made'];
    const decide = async () => decided.shift() ?? null;
    await expect(untilDecided(decide, async () => null)).resolves.toBe('made');
  });

  it('fails with 503 if neither the statement nor the explanation returns a result', async () => {
    const never = async () => null;
    await expect(untilDecided(never, never)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
