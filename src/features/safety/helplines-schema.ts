import { z } from 'zod';
import { LANGUAGES } from '../../config/languages.ts';

/**
 * The schema of data/helplines.json, which people edit. A unit test validates the file; at run time it is imported
 * without validation.
 */

const country = z.string().regex(/^[A-Z]{2}$/, 'ISO 3166-1 alpha-2');
const phoneNumber = z
  .string()
  .regex(/^[+*]?\d[\d -]*$/, 'digits, blanks and hyphens, with + or * before them');

const source = z
  .strictObject({ address: z.url({ protocol: /^https$/ }), read: z.iso.date() })
  .nullable()
  .describe('the page that was read to confirm the numbers, and the day; null while nobody has read one');

/** A helpline of one country. Displayed in file order. */
export const helplineEntry = z.strictObject({
  country,
  name: z.string().min(1),
  phone: phoneNumber.nullable().describe('as it is dialed in the country; null where they take no calls'),
  then: z.string().regex(/^\d$/).nullable().describe('the key to press once the call is answered'),
  text: z
    .strictObject({ number: phoneNumber, word: z.string().regex(/^\w+$/).nullable() })
    .nullable()
    .describe('the number to text, and the word to text where they ask for one'),
  languages: z.array(z.string().regex(/^[a-z]{2}$/, 'ISO 639-1')).min(1),
  url: z.url({ protocol: /^https$/ }).nullable(),
  hours: z.enum(['always', 'limited']),
  note: z
    .string()
    .min(1)
    .nullable()
    .describe('for people who check the line: who runs it, what is not confirmed'),
  source,
});

const forEachLanguage = <T extends z.ZodType>(schema: T) => z.record(z.enum(LANGUAGES), schema);
const emergencyNumber = z.string().regex(/^\d{2,4}$/);

export const helplinesFile = z.strictObject({
  lines: z.array(helplineEntry),
  emergency: z.strictObject({
    numbers: z.record(country, emergencyNumber).describe('the ambulance where a country has several numbers'),
    elsewhere: emergencyNumber.describe('for every other country: most phones connect it to help'),
    source,
    names: forEachLanguage(z.string().min(1)).describe('what the number is called'),
    namesAnywhere: forEachLanguage(z.string().min(1)).describe(
      'what `elsewhere` is called where the country is unknown',
    ),
  }),
  countriesByLanguage: forEachLanguage(z.array(country).min(1)).describe(
    'where the readers of a language live, most readers first',
  ),
});
export type HelplinesFile = z.infer<typeof helplinesFile>;
export type HelplineEntry = z.infer<typeof helplineEntry>;
