const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const DATED =
  /(?:again at|resets?(?: at| on)?) ([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (?:(\d{4}),? )?(?:at )?(\d{1,2})(?::(\d{2}))? ?([AP]M)/i;
const CLOCK = /(?:again at|resets?(?: at)?) (\d{1,2})(?::(\d{2}))? ?([AP]M)/i;

function hours(hour: string, half: string): number {
  return (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
}

/**
 * The end of a limit in the words of a tool: "try again at 8:08 AM", "… at Nov 22nd, 2026 8:08 AM", "resets 3pm
 * (UTC)", in the machine's zone but where UTC is named. Tools leave seconds out, so it is the end of that minute.
 */
export function parseLocalTime(text: string, now: Date): Date | undefined {
  const isUtc = /\(UTC\)/.test(text);
  const at = (year: number, month: number, day: number, hour: number, minute: number) =>
    new Date(
      isUtc
        ? Date.UTC(year, month, day, hour, minute + 1)
        : new Date(year, month, day, hour, minute + 1).getTime(),
    );
  const thisYear = isUtc ? now.getUTCFullYear() : now.getFullYear();

  const dated = DATED.exec(text);
  if (dated) {
    const [, name = '', day, year, hour = '', minute = '0', half = ''] = dated;
    const month = MONTHS.indexOf(name.toLowerCase());
    if (month < 0) return undefined;
    const on = (of: number) => at(of, month, Number(day), hours(hour, half), Number(minute));
    if (year) return on(Number(year));
    const found = on(thisYear);
    return found > now ? found : on(thisYear + 1);
  }
  const clock = CLOCK.exec(text);
  if (!clock) return undefined;
  const [, hour = '', minute = '0', half = ''] = clock;
  const month = isUtc ? now.getUTCMonth() : now.getMonth();
  const day = isUtc ? now.getUTCDate() : now.getDate();
  const on = (date: number) => at(thisYear, month, date, hours(hour, half), Number(minute));
  const found = on(day);
  return found > now ? found : on(day + 1);
}
