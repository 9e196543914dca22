/** The few facts of an entry that tell it from its neighbours: which one, from what to what. */
export function detailsInWords(details: Record<string, unknown>): string {
  const { identifier, title, name, from, to, status, reason } = details as Record<string, unknown>;
  const subject = [identifier, title ?? name].filter(isText).join(' ');
  const change = isText(from) && isText(to) ? `${from} → ${to}` : isText(status) ? status : '';
  return [subject, change, isText(reason) ? reason : ''].filter(Boolean).join(' · ');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
