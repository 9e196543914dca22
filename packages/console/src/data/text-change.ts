import { RefusedError, type Schemas } from '@switchyard/client';

type Field = 'title' | 'description';
type Text = string | null;

export interface TextVersion {
  text: Text;
  revision: number;
}

export class TextConflict extends Error {
  constructor(
    readonly theirs: Text,
    readonly mine: Text,
    readonly revision: number,
  ) {
    super('another person or agent has changed the text');
  }
}

type Send = (body: Schemas['UpdateIssueBody']) => Promise<Schemas['UpdatedIssue']>;

/**
 * Writes a text of an issue if the text is unchanged since `base`. Repeats the request if only
 * other fields have changed.
 * @throws TextConflict if the text has changed
 */
export async function changeText(
  send: Send,
  field: Field,
  mine: Text,
  base: TextVersion,
): Promise<Schemas['UpdatedIssue']> {
  try {
    return await send({ [field]: mine, revision: base.revision });
  } catch (error) {
    const current = currentOf(error);
    if (!current) throw error;
    const theirs = current[field];
    if (theirs !== base.text && theirs !== mine) {
      throw new TextConflict(theirs, mine, current.revision);
    }
    return changeText(send, field, mine, { ...base, revision: current.revision });
  }
}

function currentOf(error: unknown): Schemas['Issue'] | undefined {
  if (!(error instanceof RefusedError) || error.code !== 'stale_revision') return undefined;
  return (error.details as { current?: Schemas['Issue'] } | undefined)?.current;
}
