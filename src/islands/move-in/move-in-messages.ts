import { BODY_LIMITS } from '../../config/body-limits.ts';
import { CARD } from '../../features/character/limits.ts';
import { formatFailure } from '../shared/errors.ts';
import type { MessageKey, TranslateFn } from '../shared/i18n.tsx';
import { ENTRY_PROBLEMS, type ItemFailure, type Outcome } from './saved-progress.ts';

const BYTES_PER_KB = 1024;
const BYTES_PER_MB = 1024 * 1024;
/** Largest card, in MiB. */
const MAX_FILE_MB = Math.floor(BODY_LIMITS.card / BYTES_PER_MB);

/** The texts of a report. Those of the form and the chat are loaded with the first failure; null until then. */
export interface ReportWords {
  words: TranslateFn<'moveIn'>;
  errors: TranslateFn<'errors'>;
  create: TranslateFn<'create'> | null;
  chat: TranslateFn<'chat'> | null;
  lang: string;
}

/** Translates a key that may not exist; null for one that does not. */
const translateCode = (
  words: ((key: never, values?: Record<string, number>) => string) | null,
  key: string,
) => {
  const text = words?.(key as never, { limit: MAX_FILE_MB }) ?? key;
  return text === key ? null : text;
};

function formatItemFailure(failure: ItemFailure, { words, errors, create, chat, lang }: ReportWords): string {
  const { code, error, line, rule } = failure;
  if (line !== undefined && chat !== null) {
    const reason = chat(`importBad_${line.reason}` as MessageKey<'chat'>);
    return `${chat('importBadLine', { line: line.number })} ${reason}`;
  }
  const problem = ENTRY_PROBLEMS.find((one) => code === `entry_${one}`);
  if (problem !== undefined)
    return words(`fileProblem_${problem}`, { limit: CARD.lorebook.maxBytes / BYTES_PER_KB });
  const isCard = code.startsWith('card_');
  const refused = rule === undefined ? {} : { refused: { rule, text: '' } };
  return (
    (isCard ? translateCode(create, `importProblem_${code}`) : null) ??
    formatFailure({ code, error, ...refused }, errors, lang)
  );
}

/** The sentence on what became of a file. */
export function formatOutcome(outcome: Outcome, reportWords: ReportWords): string {
  const { words } = reportWords;
  switch (outcome.state) {
    case 'left':
      return words(`skipped_${outcome.reason}`);
    case 'text':
      return words(`personaText_${outcome.reason}`);
    case 'failed':
      return formatItemFailure(outcome.failure, reportWords);
    case 'present':
      return words(outcome.trashed === true ? 'state_trashed' : 'filter_present');
    default:
      return words(`filter_${outcome.state}`);
  }
}

/** Formats a wait as minutes and seconds. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
