import { log } from '../../lib/log.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { ChosenModel } from './choose-model.ts';
import { type ContextRatios, type Script, SCRIPTS } from './estimate-tokens.ts';

// What refusals have taught about context windows: for each model and script, how many times too large the window is that
// the estimates and the operator's setting give. KV shares it with other isolates, and a day later it is forgotten: the
// operator may have changed the server, and one user's unusual text may have taught it to all.

const KEY_PREFIX = 'model-context:';
const EXPIRATION_SECONDS = 24 * 60 * 60;
/** KV's minimum. */
const KV_CACHE_SECONDS = 30;
const CACHE_MS = 60_000;
/** KV normally answers within hundredths of a second; a prompt should not wait longer for it. */
const MAX_WAIT_MS = 200;
/** A larger ratio would leave room for the instructions only. */
const MAX_RATIO = 16;

/** What this isolate knows, by key. There are as many keys as configured models. */
const cached = new Map<string, { until: number; ratios: ContextRatios }>();

/** The latest write to KV. */
let stored: Promise<void> = Promise.resolve();

/** Forgets what this isolate knows, once KV has it. */
export async function resetContextRatios(): Promise<void> {
  await stored;
  cached.clear();
}

/** A ratio corrects the operator's settings, so it does not outlive them. */
const buildKey = ({ id, endpoint, contextTokens, tokenizer }: ChosenModel): string =>
  `${KEY_PREFIX}${id}:${endpoint.model}:${contextTokens}:${tokenizer ?? ''}`;

const isRatio = (value: unknown): value is number =>
  typeof value === 'number' && value >= 1 && value <= MAX_RATIO;

function parseRatios(value: unknown): ContextRatios {
  if (value === null || typeof value !== 'object') return {};
  const stored = value as Record<string, unknown>;
  return Object.fromEntries(
    SCRIPTS.flatMap((script) => (isRatio(stored[script]) ? [[script, stored[script]]] : [])),
  );
}

/** Returns the ratios of a model. Never rejects. */
export async function readContextRatios(env: Env, model: ChosenModel): Promise<ContextRatios> {
  const key = buildKey(model);
  const known = cached.get(key);
  if (known !== undefined && Date.now() < known.until) return known.ratios;
  const found = env.KV.get(key, { type: 'json', cacheTtl: KV_CACHE_SECONDS });
  const ratios = parseRatios(await withTimeout(MAX_WAIT_MS, found).catch(() => null));
  // A refusal in the meantime knows more than KV.
  const newer = cached.get(key);
  if (newer !== undefined && newer !== known) return newer.ratios;
  cached.set(key, { until: Date.now() + CACHE_MS, ratios });
  return ratios;
}

/** Remembers the ratio of a model for a script, here at once and in other isolates within a minute. */
export function rememberContextRatio(env: Env, model: ChosenModel, script: Script, ratio: number): void {
  const key = buildKey(model);
  const bounded = Math.min(MAX_RATIO, Math.max(1, ratio));
  const ratios = { ...cached.get(key)?.ratios, [script]: bounded };
  log('model_context_exceeded', { model: model.id, kind: script, ratio: Math.round(bounded * 100) / 100 });
  cached.set(key, { until: Date.now() + EXPIRATION_SECONDS * 1000, ratios });
  stored = env.KV.put(key, JSON.stringify(ratios), { expirationTtl: EXPIRATION_SECONDS }).catch(() => {});
}
