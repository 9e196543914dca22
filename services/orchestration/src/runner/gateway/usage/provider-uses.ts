import { addTokens } from '../../../adapters/agents/coding-agents/streams/token-counts';
import { type AnswerReader, type AnswerUse, readAnswer } from './read-usage';

/** What all answers of one provider took, by model. */
export interface ProviderUse extends AnswerUse {
  provider: string;
}

export interface ProviderUses {
  /** Follows one answer; null where nothing can be read of it. `end` when no more comes. */
  follow(
    provider: string,
    contentType: string,
  ): (Pick<AnswerReader, 'write'> & { end(): void }) | null;
  /** By now, answers that are still under way among them. */
  all(): ProviderUse[];
}

export function createProviderUses(): ProviderUses {
  const sums = new Map<string, ProviderUse>();
  const open = new Map<AnswerReader, string>();

  const add = (to: Map<string, ProviderUse>, provider: string, use: AnswerUse | null): void => {
    if (use === null) return;
    const key = `${provider} ${use.model}`;
    const known = to.get(key);
    const counts = known ? addTokens(known.counts, use.counts) : use.counts;
    to.set(key, { provider, model: use.model, counts });
  };

  return {
    follow: (provider, contentType) => {
      const reader = readAnswer(contentType);
      if (reader === null) return null;
      open.set(reader, provider);
      const end = () => {
        if (open.delete(reader)) add(sums, provider, reader.use());
      };
      return { write: reader.write, end };
    },
    all: () => {
      const now = new Map(sums);
      for (const [reader, provider] of open) add(now, provider, reader.use());
      return [...now.values()];
    },
  };
}
