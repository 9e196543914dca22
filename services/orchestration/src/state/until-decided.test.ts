import { untilDecided } from './until-decided';

describe('untilDecided', () => {
  it('repeats until the statement decides', async () => {
    const decided = [null, null, 'made'];
    const decide = async () => decided.shift() ?? null;
    await expect(untilDecided(decide, async () => null)).resolves.toBe('made');
  });

  it('answers 503 when the statement and its explanation never agree', async () => {
    const never = async () => null;
    await expect(untilDecided(never, never)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
