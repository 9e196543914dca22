import type { Schemas } from '../../data/api';
import { t, word } from '../../i18n';

type Mention = Schemas['MentionOutcome'];

export function outcomeOf({ name, outcome, reason, near }: Mention, isSent: boolean) {
  const why = reason === null ? undefined : word('mentionReason', reason);
  switch (outcome) {
    case 'woken':
      return {
        tone: 'live',
        text: t(isSent ? 'mention.woke' : 'mention.woken', { name }),
        why,
      } as const;
    case 'coalesced':
      return { tone: 'live', text: t('mention.coalesced', { name }), why } as const;
    case 'board':
      return { tone: 'warn', text: t('mention.board'), why } as const;
    case 'unknown':
      return {
        tone: 'bad',
        text: t('mention.unknown', { name, near: near?.join(', ') ?? '' }),
        why,
      } as const;
    default:
      return {
        tone: 'plain',
        text: why
          ? t(isSent ? 'mention.notWokenBecause' : 'mention.skippedBecause', { name, why })
          : t(isSent ? 'mention.notWoken' : 'mention.skipped', { name }),
        why,
      } as const;
  }
}
