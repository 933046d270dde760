import { LANGUAGES } from '../../src/config/languages.ts';
import { findCrisis, isEncouraging } from '../../src/features/safety/decisions.ts';
import type { Label } from '../../src/features/safety/labels.ts';
import { applyRules } from '../../src/features/safety/moderation.ts';
import { isKeptAside, isTest, type SafetyText } from './data.ts';

/** Measures the decisions on the texts outside the training set. */

/** A share as a count of a total. */
export interface Share {
  found: number;
  of: number;
}

/** Returns the 95 % interval of a share (Wilson's score interval). */
export function computeInterval({ found, of }: Share): [from: number, to: number] {
  if (of === 0) return [0, 1];
  const z = 1.96;
  const share = found / of;
  const middle = share + z ** 2 / (2 * of);
  const spread = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  const whole = 1 + z ** 2 / of;
  return [Math.max(0, (middle - spread) / whole), Math.min(1, (middle + spread) / whole)];
}

export const countShare = <Item>(items: readonly Item[], is: (item: Item) => boolean): Share => ({
  found: items.filter(is).length,
  of: items.length,
});

/** The results of the decisions in one language, or in all of them. */
export interface Figures {
  /** Texts with these labels for which helplines are shown. */
  suicide: Share;
  self_harm: Share;
  threat: Share;
  /** Replies that encourage suicide and are refused. */
  encouragement: Share;
  /** Ordinary texts, and near misses, for which helplines are shown. */
  ordinaryAlarms: Share;
  nearAlarms: Share;
  /** Harmless texts that are refused as a message or as a reply; replies cut for encouragement are counted below. */
  refused: Share;
  /** Harmless replies that are cut for encouragement. */
  cut: Share;
}

const isNear = ({ kind }: SafetyText): boolean => kind?.startsWith('near') === true && kind !== 'near-sexual';
const isHarmless = ({ labels }: SafetyText): boolean => labels.length === 0;
const isRefused = ({ text }: SafetyText): boolean =>
  (['message', 'reply'] as const).some((place) => {
    const verdict = applyRules(text, { place, adult: false });
    return !verdict.ok && verdict.rule !== 'urging';
  });

export function measure(texts: readonly SafetyText[]): Figures {
  const harmless = texts.filter(isHarmless);
  const labelled = (label: Label) => texts.filter(({ labels }) => labels.includes(label));
  const alarms = (some: readonly SafetyText[]) => countShare(some, ({ text }) => findCrisis(text) !== null);
  const urges = ({ text }: SafetyText) => isEncouraging(text, false);
  return {
    suicide: alarms(labelled('suicide')),
    self_harm: alarms(labelled('self_harm')),
    threat: alarms(labelled('threat')),
    encouragement: countShare(labelled('encouragement'), urges),
    ordinaryAlarms: alarms(harmless.filter((text) => !isNear(text) && text.kind !== 'reply')),
    nearAlarms: alarms(harmless.filter(isNear)),
    refused: countShare(harmless, isRefused),
    cut: countShare(
      harmless.filter(({ kind }) => kind === 'reply'),
      urges,
    ),
  };
}

/** Returns figures for all texts that thresholds were chosen on, for each language, and for the texts kept aside. */
export function measureAll(texts: readonly SafetyText[]): {
  all: Figures;
  languages: Record<string, Figures>;
  keptAside: Figures;
} {
  const test = texts.filter((text) => isTest(text) && !isKeptAside(text));
  const languages = LANGUAGES.map((own) => [own, measure(test.filter(({ language }) => language === own))]);
  return {
    all: measure(test),
    languages: Object.fromEntries(languages) as Record<string, Figures>,
    keptAside: measure(texts.filter(isKeptAside)),
  };
}

const COLUMNS: readonly [name: string, of: keyof Figures][] = [
  ['suicide', 'suicide'],
  ['self-harm', 'self_harm'],
  ['threat', 'threat'],
  ['encouragement', 'encouragement'],
  ['alarms: ordinary', 'ordinaryAlarms'],
  ['alarms: near misses', 'nearAlarms'],
  ['refused', 'refused'],
  ['replies cut', 'cut'],
];

const cell = ({ found, of }: Share): string => (of === 0 ? '–' : `${found} of ${of}`);
function cellWithInterval(share: Share): string {
  const [from, to] = computeInterval(share).map((edge) => (100 * edge).toFixed(1));
  return `${cell(share)}, ${((100 * share.found) / Math.max(1, share.of)).toFixed(1)} % (${from} to ${to})`;
}

/** Formats the figures as a Markdown table. */
export function formatTable({ all, languages, keptAside }: ReturnType<typeof measureAll>): string {
  const rows = [
    ['language', ...COLUMNS.map(([name]) => name)],
    ['---', ...COLUMNS.map(() => '---')],
    ...Object.entries(languages).map(([language, figures]) => [
      language,
      ...COLUMNS.map(([, of]) => cell(figures[of])),
    ]),
    ['all', ...COLUMNS.map(([, of]) => cellWithInterval(all[of]))],
    ['kept aside', ...COLUMNS.map(([, of]) => cellWithInterval(keptAside[of]))],
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}
