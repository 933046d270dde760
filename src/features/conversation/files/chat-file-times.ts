/** Parses the times in chat files, in the formats that SillyTavern's versions and compatible programs have used. */

/** The last millisecond of the year 9999. */
const MAX_TIME_MS = 253_402_300_799_999;
/** UTF-16 units; longer texts are no time. Some zones have long names. */
const MAX_TIME_CHARS = 200;
/** Smaller numbers are seconds: as milliseconds they would be before 1973. */
const MAX_SECONDS = 100_000_000_000;

/** `2023-6-19 @16h 20m 5s 123ms`, `2024-7-12@01h31m37s`: with and without blanks, with and without milliseconds. */
const HUMANIZED =
  /^(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(\d{1,2})s(?:\s*(\d{1,3})ms)?$/;
/** `2023-06-19T16:20:05.123Z`, also without zone, time or the T. */
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
/** `June 19, 2023 4:20pm`, with the month in the language of the browser that wrote it. */
const NAMED_MONTH = /^(.{1,20}?)\s+(\d{1,2}),\s*(\d{4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap]m)?$/iu;
/** JavaScript's own date strings, which are only unambiguous with a time zone. */
const ZONED = /(?:GMT|UTC|Z|[+-]\d{2}:?\d{2})(?:\s*\(.*\))?$/;

/** Languages whose month names are recognised: the product's own, and those of other large communities of the format. */
const MONTH_LANGUAGES =
  'en es fr de it pt ru ja hi pl zh id ko tr uk vi nl cs sv th ar el hu ro fi da nb bg he ms fa sk hr sr ca'.split(
    ' ',
  );

let months: Map<string, number> | null = null;

const normalizeMonth = (name: string): string => name.normalize('NFC').toLowerCase().replace(/\.$/, '');

/** Returns the number of a month, from 1, by its name. The table is built at first use. */
function findMonth(name: string): number | null {
  if (months === null) {
    months = new Map();
    for (const style of ['long', 'short'] as const) {
      for (const language of MONTH_LANGUAGES) {
        const format = new Intl.DateTimeFormat(language, {
          month: style,
          timeZone: 'UTC',
          calendar: 'gregory',
        });
        for (let month = 1; month <= 12; month += 1) {
          const key = normalizeMonth(format.format(Date.UTC(2023, month - 1, 15)));
          // When two languages use one name for different months, the first language in the list wins.
          if (!months.has(key)) months.set(key, month);
        }
      }
    }
  }
  return months.get(normalizeMonth(name)) ?? null;
}

/** Converts date parts to UTC milliseconds; null when there is no such day or time. */
function toUtcTimestamp(parts: {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  ms: number;
}): number | null {
  const { year, month, day, hour, minute, second, ms } = parts;
  const at = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  const date = new Date(at);
  const exists =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  return exists && at >= 0 && at <= MAX_TIME_MS ? at : null;
}

const parseInteger = (text: string | undefined): number => Number.parseInt(text ?? '0', 10);

function parseNumberTime(value: number): number | null {
  if (!Number.isFinite(value) || value <= 0) return null;
  const at = Math.round(value < MAX_SECONDS ? value * 1000 : value);
  return at <= MAX_TIME_MS ? at : null;
}

function parseOffsetMs(zone: string | undefined): number {
  if (zone === undefined || /z/i.test(zone)) return 0;
  const digits = zone.slice(1).replace(':', '');
  const minutes =
    parseInteger(digits.slice(0, 2)) * 60 + (digits.length > 2 ? parseInteger(digits.slice(2)) : 0);
  return (zone.startsWith('-') ? -1 : 1) * minutes * 60_000;
}

function parseTextTime(text: string): number | null {
  if (/^\d{1,16}(?:\.\d+)?$/.test(text)) return parseNumberTime(Number(text));
  const human = HUMANIZED.exec(text);
  if (human !== null) {
    const [year, month, day, hour, minute, second, ms] = human.slice(1).map(parseInteger) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return toUtcTimestamp({ year, month, day, hour, minute, second, ms });
  }
  const iso = ISO.exec(text);
  if (iso !== null) {
    const at = toUtcTimestamp({
      year: parseInteger(iso[1]),
      month: parseInteger(iso[2]),
      day: parseInteger(iso[3]),
      hour: parseInteger(iso[4]),
      minute: parseInteger(iso[5]),
      second: parseInteger(iso[6]),
      ms: parseInteger((iso[7] ?? '').slice(0, 3).padEnd(3, '0')),
    });
    if (at === null) return null;
    const shifted = at - parseOffsetMs(iso[8]);
    return shifted >= 0 && shifted <= MAX_TIME_MS ? shifted : null;
  }
  const named = NAMED_MONTH.exec(text);
  if (named !== null) {
    const [, name = '', day, year, hour, minute, second, half] = named;
    const month = findMonth(name);
    if (month === null) return null;
    const twelve =
      half === undefined ? parseInteger(hour) : (parseInteger(hour) % 12) + (/p/i.test(half) ? 12 : 0);
    return toUtcTimestamp({
      year: parseInteger(year),
      month,
      day: parseInteger(day),
      hour: twelve,
      minute: parseInteger(minute),
      second: parseInteger(second),
      ms: 0,
    });
  }
  if (!ZONED.test(text)) return null;
  const at = Date.parse(text.replace(/(?<!\s)\s*\([^()]*\)$/, ''));
  return Number.isFinite(at) && at >= 0 && at <= MAX_TIME_MS ? at : null;
}

/**
 * Parses a time of a chat file: a number (milliseconds or seconds), ISO 8601, or one of SillyTavern's own formats. A time
 * without a zone is read as UTC, because the file does not contain the writer's zone.
 * @returns milliseconds since 1970, or null when the time cannot be parsed
 */
export function parseChatTime(value: string | number): number | null {
  if (typeof value === 'number') return parseNumberTime(value);
  const text = value.trim();
  return text.length > MAX_TIME_CHARS ? null : parseTextTime(text);
}
