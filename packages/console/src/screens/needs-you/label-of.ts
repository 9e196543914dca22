import { language, word } from '../../i18n';
import type { InboxAction } from './inbox-item';

export const labelOf = ({ name, label }: InboxAction): string =>
  language() === 'en' ? label : word('inboxAction', name, label);

export const shortLabelOf = (action: InboxAction): string =>
  word('inboxShort', action.name, labelOf(action));
