import { RefusedError } from '@switchyard/client';
import { changeText, TextConflict } from './text-change';

const stale = (title: string, revision: number) =>
  new RefusedError(409, {
    error: 'stale',
    code: 'stale_revision',
    details: { current: { title, revision } },
  } as never);

describe('changeText', () => {
  const base = { text: 'before', revision: 1 };
  const sending = (...answers: (Error | string)[]) => {
    const sent: unknown[] = [];
    const send = async (body: unknown) => {
      sent.push(body);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer as never;
    };
    return { sent, send };
  };

  it('sends the revision at which the text was read', async () => {
    const { sent, send } = sending('saved');
    expect(await changeText(send, 'title', 'mine', base)).toBe('saved');
    expect(sent).toEqual([{ title: 'mine', revision: 1 }]);
  });

  it('retries with the new revision if only other fields have changed', async () => {
    const { sent, send } = sending(stale('before', 4), 'saved');
    expect(await changeText(send, 'title', 'mine', base)).toBe('saved');
    expect(sent).toEqual([
      { title: 'mine', revision: 1 },
      { title: 'mine', revision: 4 },
    ]);
  });

  it('throws a TextConflict with both texts if another person has changed the text', async () => {
    const { send } = sending(stale('theirs', 4));
    const failed = await changeText(send, 'title', 'mine', base).catch((error) => error);
    expect(failed).toBeInstanceOf(TextConflict);
    expect(failed).toMatchObject({ theirs: 'theirs', mine: 'mine', revision: 4 });
  });

  it('rethrows any other refusal unchanged', async () => {
    const refusal = new RefusedError(403, undefined);
    const { send } = sending(refusal);
    await expect(changeText(send, 'title', 'mine', base)).rejects.toBe(refusal);
  });
});
