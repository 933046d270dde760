import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { z } from 'zod';
import { LABELS } from '../../src/features/safety/labels.ts';

/** The reviewed texts that train and measure the classifier: data/safety/<label>/<language>.jsonl. */

const ROOT = new URL('../../data/safety/', import.meta.url);

/** Batches outside the training set. Thresholds were chosen on the test batches; nothing was chosen on this one. */
const KEPT_ASIDE = 'kept-aside';
const TEST_BATCHES: ReadonlySet<string> = new Set([
  'test',
  'test-first',
  'test-second',
  'test-third',
  KEPT_ASIDE,
]);

const line = z.strictObject({
  text: z.string().min(1),
  labels: z.array(z.enum(LABELS)),
  register: z.enum(['plain', 'roundabout', 'typos', 'slang', 'young', 'old', 'long', 'mixed']),
  /** The kind of harmless text, for a text without a label. */
  kind: z.string().optional(),
  /** The label that is not trained on this text, because an age or a child in it leaves open whether it applies. */
  skip: z.tuple([z.literal('minor')]).optional(),
  /** The text's batch: texts of one batch have one author per language. */
  batch: z.string(),
});

export type SafetyText = z.infer<typeof line> & { language: string };

const FOLDERS = [...LABELS, 'none'];

/** Reads all texts in a fixed order. @throws if a line does not have the form that docs/safety-model.md describes */
export function readTexts(): SafetyText[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, ROOT))
      .toSorted()
      .flatMap((file) => {
        const language = file.replace('.jsonl', '');
        return readFileSync(new URL(`${folder}/${file}`, ROOT), 'utf8')
          .split('\n')
          .filter((each) => each !== '')
          .map((each) => ({ ...line.parse(JSON.parse(each)), language }));
      }),
  );
}

export const isTest = ({ batch }: SafetyText): boolean => TEST_BATCHES.has(batch);
export const isKeptAside = ({ batch }: SafetyText): boolean => batch === KEPT_ASIDE;

/**
 * Returns sixteen hexadecimal digits of a hash over the training texts and the training code. Weights with another
 * fingerprint were trained from other texts or code.
 */
export function computeFingerprint(texts: readonly SafetyText[]): string {
  const hash = createHash('sha256');
  for (const file of [
    '../../src/features/safety/classifier.ts',
    '../../src/features/safety/labels.ts',
    '../../src/features/safety/sentences.ts',
    '../../src/features/safety/text-features.ts',
    './encoding.ts',
    './merging.ts',
    './network.ts',
    './quantizing.ts',
    './training.ts',
    './windows.ts',
  ])
    hash.update(readFileSync(new URL(file, import.meta.url)));
  for (const { text, labels, language, kind, skip, batch } of texts)
    hash.update(JSON.stringify([text, labels, language, kind, skip, batch]));
  return hash.digest('hex').slice(0, 16);
}
