import { language } from '../i18n';

const formats = new Map<
  string,
  Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat
>();

function kept<Format extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  name: string,
  create: (locale: string) => Format,
): Format {
  const key = `${language()} ${name}`;
  const found = formats.get(key) ?? create(language());
  formats.set(key, found);
  return found as Format;
}

export const formatCents = (cents: number): string =>
  kept(
    'cents',
    (locale) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }),
  ).format(cents / 100);

export const formatCount = (count: number): string =>
  kept('count', (locale) => new Intl.NumberFormat(locale)).format(count);

export const formatCompact = (count: number): string =>
  kept(
    'compact',
    (locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
  ).format(count);

export const formatPercent = (fraction: number): string =>
  kept(
    'percent',
    (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }),
  ).format(fraction);

export const formatExact = (at: string | number, timeZone?: string): string =>
  kept(
    `exact ${timeZone}`,
    (locale) =>
      new Intl.DateTimeFormat(locale, {
        dateStyle: 'medium',
        timeStyle: 'long',
        ...(timeZone && { timeZone }),
      }),
  ).format(new Date(at));

export const formatDate = (date: string): string =>
  kept(
    'date',
    (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
  ).format(new Date(`${date}T00:00:00Z`));

export const formatMonth = (month: string): string =>
  kept(
    'month',
    (locale) =>
      new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  ).format(new Date(`${month}-01T00:00:00Z`));

export const formatShortDate = (date: string | number): string =>
  kept(
    'short date',
    (locale) =>
      new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  ).format(typeof date === 'number' ? date : new Date(`${date}T00:00:00Z`));

export const formatAxisCents = (cents: number): string =>
  kept(
    'axis cents',
    (locale) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency: 'USD',
        notation: Math.abs(cents) >= 1_000_000 ? 'compact' : 'standard',
        trailingZeroDisplay: 'stripIfInteger',
      }),
  ).format(cents / 100);

export const formatClock = (at: string | number): string =>
  kept('clock', (locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })).format(
    new Date(at),
  );

export function formatAgo(at: string | number, now: number): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  const relative = kept(
    'ago',
    (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' }),
  );
  if (Math.abs(seconds) < 30) return relative.format(0, 'second');
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['minute', 60];
  return relative.format(
    Math.sign(seconds) * Math.max(1, Math.round(Math.abs(seconds) / size)),
    unit,
  );
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
];

export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

export function formatBytes(bytes: number): string {
  const [unit, size] = BYTE_UNITS.find(([, each]) => bytes >= each) ?? ['B', 1];
  const value = bytes / size;
  return `${kept('bytes', (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })).format(value)} ${unit}`;
}

const BYTE_UNITS: [string, number][] = [
  ['GB', 1_000_000_000],
  ['MB', 1_000_000],
  ['kB', 1_000],
];
