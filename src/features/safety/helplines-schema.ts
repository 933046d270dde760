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
  .describe('Page that confirmed the numbers, and the date of its text; null until confirmed');

/** A helpline of one country. Displayed in file order. */
export const helplineEntry = z.strictObject({
  country,
  name: z.string().min(1),
  phone: phoneNumber.nullable().describe('As dialed in the country; null if it takes no calls'),
  then: z.string().regex(/^\d$/).nullable().describe('Key to press after the call is answered'),
  text: z
    .strictObject({ number: phoneNumber, word: z.string().regex(/^\w+$/).nullable() })
    .nullable()
    .describe('Number to text, and the word to text if one is needed'),
  languages: z.array(z.string().regex(/^[a-z]{2}$/, 'ISO 639-1')).min(1),
  url: z.url({ protocol: /^https$/ }).nullable(),
  hours: z.enum(['always', 'limited']),
  note: z
    .string()
    .min(1)
    .nullable()
    .describe('For reviewers of the entry: who runs the helpline, and what is not confirmed'),
  source,
});

const forEachLanguage = <T extends z.ZodType>(schema: T) => z.record(z.enum(LANGUAGES), schema);
const emergencyNumber = z.string().regex(/^\d{2,4}$/);

export const helplinesFile = z.strictObject({
  lines: z.array(helplineEntry),
  emergency: z.strictObject({
    numbers: z.record(country, emergencyNumber).describe('The ambulance number if a country has several'),
    elsewhere: emergencyNumber.describe(
      'For all other countries; most phones connect it to emergency services',
    ),
    source,
    names: forEachLanguage(z.string().min(1)).describe('Name of the number'),
    namesAnywhere: forEachLanguage(z.string().min(1)).describe(
      'Name of the `elsewhere` number if the country is unknown',
    ),
  }),
  countriesByLanguage: forEachLanguage(z.array(country).min(1)).describe(
    'Countries where readers of the language live, most readers first',
  ),
});
export type HelplinesFile = z.infer<typeof helplinesFile>;
export type HelplineEntry = z.infer<typeof helplineEntry>;
