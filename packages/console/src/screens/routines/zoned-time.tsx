import { language } from '../../i18n';
import { formatExact } from '../../i18n/formats';

export function ZonedTime({ at, zone }: { at: string; zone: string | null }) {
  const timeZone = zone ?? 'UTC';
  return (
    <time dateTime={at} title={formatExact(at)}>
      <span className="whitespace-nowrap">{format(at, timeZone)}</span>{' '}
      <span className="whitespace-nowrap text-muted">{timeZone}</span>
    </time>
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(at: string, timeZone: string): string {
  const found =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat(language(), {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    });
  formats.set(timeZone, found);
  return found.format(new Date(at));
}
