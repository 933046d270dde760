import { RUNTIME_CONFIG_DEFAULTS } from './defaults.ts';
import {
  type RuntimeConfig,
  type RuntimeConfigOverrides,
  type RuntimeConfigKey,
  type RuntimeConfigView,
  runtimeConfig,
  runtimeConfigChange,
  runtimeConfigShape,
  RUNTIME_CONFIG_KEYS,
} from './contract.ts';

/** Error messages by constant; those about the whole object are under `_`. */
export type ConfigIssues = Record<string, string[]>;

/** Constants that are valid on their own but contradict each other. */
interface Contradiction {
  /** The constant that carries the message. */
  at: RuntimeConfigKey;
  message: string;
  /** All constants involved; any of them may be the wrong one. */
  among: readonly RuntimeConfigKey[];
}

const PERSONAS = ['personas_free', 'personas_storyteller'] as const;
const POINTS = ['refill_to_points', 'message_cost_points'] as const;
const SEASON = ['competition_begins_on', 'competition_ends_on', 'competition_winners_on'] as const;

function findContradictions(whole: RuntimeConfig): Contradiction[] {
  const found: Contradiction[] = [];
  if (whole.personas_storyteller < whole.personas_free) {
    found.push({
      at: 'personas_storyteller',
      message: 'A membership must allow at least as many personas as the free plan',
      among: PERSONAS,
    });
  }
  if (whole.message_cost_points > whole.refill_to_points) {
    found.push({
      at: 'message_cost_points',
      message: 'A message must not cost more than a refill, or no one could ever send one',
      among: POINTS,
    });
  }
  if (whole.competition_ends_on <= whole.competition_begins_on) {
    found.push({ at: 'competition_ends_on', message: 'The season must end after it starts', among: SEASON });
  } else if (whole.competition_winners_on < whole.competition_ends_on) {
    found.push({
      at: 'competition_winners_on',
      message: 'Winners must be announced after the season ends',
      among: SEASON,
    });
  }
  return found;
}

const applyDefaults = (change: RuntimeConfigOverrides): RuntimeConfig =>
  runtimeConfig.parse({ ...RUNTIME_CONFIG_DEFAULTS, ...change });

/** Whether null is a value of this constant, rather than a reset to its default. */
const isNullable = (name: RuntimeConfigKey): boolean => runtimeConfigShape[name].safeParse(null).success;

export type ConfigChangeResult =
  | { ok: true; kept: RuntimeConfigOverrides; business: RuntimeConfig }
  | { ok: false; wrong: ConfigIssues };

/** Checks that individually valid constants agree with each other. */
function checkContradictions(kept: RuntimeConfigOverrides): ConfigChangeResult {
  const whole = applyDefaults(kept);
  const wrong: ConfigIssues = {};
  for (const { at, message } of findContradictions(whole)) (wrong[at] ??= []).push(message);
  return Object.keys(wrong).length > 0 ? { ok: false, wrong } : { ok: true, kept, business: whole };
}

/**
 * Applies a change to the stored constants.
 * @param before the constants changed so far
 * @param change untrusted; checked with `runtimeConfigChange`
 */
export function applyOverrides(before: RuntimeConfigOverrides, change: unknown): ConfigChangeResult {
  const parsed = runtimeConfigChange.safeParse(change);
  if (!parsed.success) {
    // A Map, because a name can collide with a property of Object.prototype.
    const wrong = new Map<string, string[]>();
    for (const { path, message, ...issue } of parsed.error.issues) {
      const unknown = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.map(String) : null;
      const names = unknown ?? [path.length === 0 ? '_' : String(path[0])];
      const sentence = unknown === null ? message : 'Unknown name';
      for (const name of names) wrong.set(name, [...(wrong.get(name) ?? []), sentence]);
    }
    return { ok: false, wrong: Object.fromEntries(wrong) };
  }
  const kept: Record<string, unknown> = { ...before };
  for (const name of RUNTIME_CONFIG_KEYS) {
    const value = parsed.data[name];
    if (value === undefined) continue;
    if (value === null && !isNullable(name)) delete kept[name];
    else kept[name] = value;
  }
  return checkContradictions(kept as RuntimeConfigOverrides);
}

/** Resets some constants to their defaults. */
export function resetOverrides(before: RuntimeConfigOverrides, names: readonly string[]): ConfigChangeResult {
  const unknown = names.filter((name) => !Object.hasOwn(runtimeConfigShape, name));
  if (unknown.length > 0)
    return { ok: false, wrong: Object.fromEntries(unknown.map((name) => [name, ['Unknown name']])) };
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => !names.includes(name)));
  return checkContradictions(kept as RuntimeConfigOverrides);
}

/** The usable part of the stored constants. */
export interface StoredRuntimeConfig {
  /** The values in force: the stored ones, and defaults for missing or invalid ones. */
  business: RuntimeConfig;
  change: RuntimeConfigOverrides;
  /** Names with invalid values; `_` when the whole object is invalid. */
  wrong: string[];
}

/**
 * Parses the stored constants.
 * @param kept may hold anything, because KV can be edited by hand
 */
export function parseRuntimeConfig(kept: unknown): StoredRuntimeConfig {
  const change: Record<string, unknown> = {};
  const wrong: string[] = [];
  const isObject = typeof kept === 'object' && kept !== null && !Array.isArray(kept);
  if (!isObject && kept !== null && kept !== undefined) wrong.push('_');
  for (const [name, value] of isObject ? Object.entries(kept) : []) {
    const shape = Object.hasOwn(runtimeConfigShape, name)
      ? runtimeConfigShape[name as RuntimeConfigKey]
      : undefined;
    const parsed = shape?.safeParse(value);
    if (parsed?.success === true) change[name] = parsed.data;
    else wrong.push(name);
  }
  const against = findContradictions(applyDefaults(change));
  for (const { among } of against) {
    for (const name of among) {
      if (Object.hasOwn(change, name)) wrong.push(name);
      delete change[name];
    }
  }
  return { business: applyDefaults(change), change: change as RuntimeConfigOverrides, wrong };
}

/** The same for stored text; null when nothing is stored. */
export function parseRuntimeConfigText(text: string | null): StoredRuntimeConfig {
  if (text === null) return parseRuntimeConfig(null);
  try {
    return parseRuntimeConfig(JSON.parse(text) as unknown);
  } catch {
    return { ...parseRuntimeConfig(null), wrong: ['_'] };
  }
}

export function toRuntimeConfigView({
  business: whole,
  change,
  wrong,
}: StoredRuntimeConfig): RuntimeConfigView {
  return {
    business: whole,
    defaults: applyDefaults({}),
    changed: RUNTIME_CONFIG_KEYS.filter((name) => Object.hasOwn(change, name)),
    not_understood: wrong,
  };
}
