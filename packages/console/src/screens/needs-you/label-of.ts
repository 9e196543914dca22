import { language, word } from '../../i18n';
import type { InboxAction } from './inbox-item';

/** The service's own words, which say most; in another language the word of the action's name. */
export const labelOf = ({ name, label }: InboxAction): string =>
  language() === 'en' ? label : word('inboxAction', name, label);

/** For the button in a row: one word where that is enough, since the row says the rest. */
export const shortLabelOf = (action: InboxAction): string =>
  word('inboxShort', action.name, labelOf(action));
