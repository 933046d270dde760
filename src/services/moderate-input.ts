import { isExempt } from '../features/safety/appeal-exemption-statements.ts';
import type {
  CharacterChange,
  ExtrasView,
  NewCharacter,
  OwnCharacter,
} from '../features/character/contract.ts';
import { type Definition, mergeDefinition } from '../features/character/definition-parts.ts';
import { expandMacros } from '../features/conversation/macro-names.ts';
import type { MessageSafety } from '../features/conversation/moderation/safety-contract.ts';
import { estimateTokens } from '../features/model/estimate-tokens.ts';
import { listLoreTexts, collectText } from '../features/character/lorebook/lore-texts.ts';
import type { RefusedPlace } from '../features/moderation/appeal-contract.ts';
import {
  createAppealToken,
  buildRefusalCandidate,
  truncateRefusedText,
} from '../features/moderation/appeal-token.ts';
import {
  NO_EVIDENCE,
  type RefusalEvidence,
  mergeEvidence,
  collectEvidence,
  joinContext,
  type PassageKind,
  type ContextPassage,
} from '../features/safety/evidence.ts';
import { hasMinor } from '../features/safety/decisions.ts';
import type { RefusalRule, Verdict } from '../features/safety/moderation.ts';
import { createSiteModerator } from '../features/model/moderator-gateway.ts';
import { refuse, type Refused, type ServiceContext } from './context.ts';

/** The limit resets at the user's midnight; suggest a retry in an hour. */
const RETRY_AFTER_SECONDS = 3600;

/** A text that a user wants to store or publish, and the form field that contains it. */
export interface InputText {
  field: string;
  text: string;
  /** The context that the rules read with it; may include the text itself. */
  around: readonly ContextPassage[];
}

/** A macro that becomes something else than a name. */
const MACRO = /\{\{(?!\s*(?:user|char)\s*\}\})/i;

/**
 * Returns what a text may say: as it is written, which is what a download of it has, and with everything that its macros
 * may become in a conversation. Names are the same to the rules with and without braces.
 */
const listReadings = (text: string): string[] =>
  MACRO.test(text) ? [text, expandMacros(text, { user: 'user', char: 'char' })] : [text];

/** Returns the first refusal of a text's readings. Texts that are stored or published get no help card. */
const mergeVerdicts = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.find(({ ok }) => !ok) ?? { ok: true, crisis: null };

/** Builds texts that are each other's context. */
export function buildInputTexts(
  of: PassageKind,
  texts: readonly { field: string; text: string }[],
): InputText[] {
  const around = texts.map(({ text }): ContextPassage => ({ of, text, said: listReadings(text).join('\n') }));
  return texts.map(({ field, text }) => ({ field, text, around }));
}

const REFUSAL_MESSAGES: Record<Exclude<RefusalRule, 'unavailable'>, string> = {
  minors: 'Sexual content involving anyone who is, or appears to be, a minor is never allowed here.',
  sexual: 'This text is sexual, and the character is not for adults.',
  violence: 'This text is too violent for this site.',
  hate: 'This text is hateful towards people because of who they are.',
  illegal: 'This text explains how to do something illegal or harmful.',
  urging: 'This text encourages suicide or self-harm, or explains how to do it.',
  prompt: 'This text reveals the instructions for the models.',
};

/** Texts that a rule refuses. */
export interface RefusedInput {
  place: RefusedPlace;
  rule: RefusalRule;
  written: readonly Pick<InputText, 'field' | 'text'>[];
  /** The context that led to the refusal; none when omitted. */
  beside?: RefusalEvidence;
}

/** Joins the texts, as the subject of an appeal. */
const joinRefusedText = ({ written }: RefusedInput): string => written.map(({ text }) => text).join('\n');

const toRefusalContext = ({ written, beside: evidence = NO_EVIDENCE }: RefusedInput) => ({
  beside: evidence,
  parts: written.map(({ text }) => text),
});

/** Whether staff granted an appeal for this very text of the user, against this rule and with the same evidence. */
export async function isInputExempt(
  { db }: Pick<ServiceContext, 'db'>,
  userId: string,
  refused: RefusedInput,
): Promise<boolean> {
  const { place, rule } = refused;
  const text = joinRefusedText(refused);
  return isExempt(db, await buildRefusalCandidate({ userId, place, rule, text }, toRefusalContext(refused)));
}

/**
 * Builds the refusal of a text.
 * @param refused returned to the client, which needs it for an appeal
 * @param extra crisis help, when the text may indicate a crisis
 */
export async function createTextRefusal(
  { settings }: Pick<ServiceContext, 'settings'>,
  userId: string,
  refused: RefusedInput,
  extra: { safety?: MessageSafety } = {},
): Promise<Refused<'text_refused' | 'moderation_unavailable'>> {
  const { place, rule, written } = refused;
  if (rule === 'unavailable') return refuse('moderation_unavailable', extra);
  const error = REFUSAL_MESSAGES[rule];
  const text = truncateRefusedText(joinRefusedText(refused));
  const { authSecret } = settings;
  const about = { userId, place, rule, text };
  return refuse('text_refused', {
    ...extra,
    error,
    rule,
    refused_text: text,
    appeal_token: await createAppealToken(authSecret, about, Date.now(), toRefusalContext(refused)),
    fields: Object.fromEntries(written.map(({ field }) => [field, [error]])),
  });
}

/** The refusals of `checkTexts`. */
export type TextRefusal = Refused<'text_refused' | 'moderation_unavailable' | 'too_many_requests'>;

/**
 * Moderates texts. Call it before anything is charged or stored.
 * @param about.seen the audience: for `others` the moderation model is asked too, if one is configured
 * @param about.changed the fields that changed in an update; the others are stored already
 */
export async function checkTexts(
  context: ServiceContext,
  userId: string,
  texts: readonly InputText[],
  {
    place,
    adult,
    seen,
    changed,
  }: { place: RefusedPlace; adult: boolean; seen: 'self' | 'others'; changed?: ReadonlySet<string> },
): Promise<TextRefusal | null> {
  const moderator = createSiteModerator(context.env);
  /** Rules that staff exempted a text from. An exemption covers exactly that text. */
  const exemptions = new Map<InputText, Set<RefusalRule>>();
  const buildModerationInput = (one: InputText) => {
    const rules = exemptions.get(one);
    return { place: 'publication', adult, ...(rules === undefined ? {} : { exemptRules: rules }) } as const;
  };
  const checkRules = (one: InputText, context?: string) => {
    const about = { ...buildModerationInput(one), ...(context === undefined ? {} : { context }) };
    return mergeVerdicts(listReadings(one.text).map((text) => moderator.checkRules(text, about)));
  };
  const refuseUnlessExempt = async (rule: RefusalRule, written: readonly InputText[]) => {
    const refused = { place, rule, written, beside: collectInputEvidence(rule, written) };
    if (rule === 'unavailable' || !(await isInputExempt(context, userId, refused)))
      return createTextRefusal(context, userId, refused);
    for (const one of written) exemptions.set(one, (exemptions.get(one) ?? new Set()).add(rule));
    return null;
  };
  for (;;) {
    const verdicts = texts.map((one) => checkRules(one, joinContext(one.around)));
    const found = findRefused(texts, verdicts);
    if (found === null) break;
    // Some texts are refused alone and others only in the context of those. If an age and an act conflict, blame the
    // changed field.
    const alone = found.written.filter((one) => !checkRules(one).ok);
    const fresh = found.written.filter(({ field }) => changed?.has(field) === true);
    const written = [alone, fresh, found.written].find(({ length }) => length > 0) ?? [];
    const refused = await refuseUnlessExempt(found.rule, written);
    if (refused !== null) return refused;
  }
  if (seen === 'self' || !moderator.hasModel || texts.length === 0) return null;
  const wallet = context.env.WALLETS.get(context.env.WALLETS.idFromName(userId));
  // Tokens read by the moderation model count in the user's daily limit: large lorebooks cost as much as replies.
  if (!(await wallet.canCallModel())) return refuse('too_many_requests', {}, RETRY_AFTER_SECONDS);
  let isCounted = false;
  for (;;) {
    const verdicts = await Promise.all(
      texts.map(async (one) => {
        const about = { ...buildModerationInput(one), context: joinContext(one.around) };
        const readings = listReadings(one.text);
        return mergeVerdicts(await Promise.all(readings.map((text) => moderator.check(text, about))));
      }),
    );
    // Count only texts that the model has read, and only once.
    if (!isCounted && verdicts.every((verdict) => verdict.ok || verdict.rule !== 'unavailable')) {
      await wallet.recordModelTokens(
        texts.flatMap(({ text }) => listReadings(text)).reduce((sum, text) => sum + estimateTokens(text), 0),
      );
      isCounted = true;
    }
    const found = findRefused(texts, verdicts);
    if (found === null) return null;
    const refused = await refuseUnlessExempt(found.rule, found.written);
    if (refused !== null) return refused;
  }
}

/** Returns the context of refused texts. Only the rule about minors reads context. */
function collectInputEvidence(rule: RefusalRule, written: readonly InputText[]): RefusalEvidence {
  if (rule !== 'minors') return NO_EVIDENCE;
  return mergeEvidence(
    written.flatMap(({ text, around }) =>
      listReadings(text).map((reading) => collectEvidence(reading, { around })),
    ),
    written.map(({ text }) => text),
  );
}

/** Returns all texts that the first matching rule refuses; null when none is refused. */
function findRefused(
  texts: readonly InputText[],
  verdicts: readonly Verdict[],
): { rule: RefusalRule; written: InputText[] } | null {
  const rules = verdicts.map((verdict) => (verdict.ok ? null : verdict.rule));
  const rule = rules.find((one) => one !== null) ?? null;
  return rule === null ? null : { rule, written: texts.filter((_, index) => rules[index] === rule) };
}

/**
 * Moderates the names of a user, which appear next to everything they publish.
 * @param names all names after the change, because they are each other's context
 * @param changed the names that change
 */
export async function checkNames(
  context: ServiceContext,
  userId: string,
  names: { username?: string; nickname: string | null },
  changed: readonly ('username' | 'nickname')[],
): Promise<TextRefusal | null> {
  const all = Object.entries(names).flatMap(([field, text]) => (text ? [{ field, text }] : []));
  const texts = buildInputTexts('name', all).filter(({ field }) => changed.some((one) => one === field));
  if (texts.length === 0) return null;
  return checkTexts(context, userId, texts, { place: 'name', adult: false, seen: 'others' });
}

/** The moderated fields of a character, from the form or a card. */
export type ModeratedCharacterFields = Partial<
  Pick<
    NewCharacter,
    | 'name'
    | 'oneliner'
    | 'character_traits'
    | 'first_message'
    | 'about'
    | 'alternate_greetings'
    | 'suggested_replies'
    | 'free_tags'
    | 'nickname'
    | 'lorebook'
    | 'definition'
    | 'recommended_style'
  >
>;

/**
 * Lists the texts of a character. Each has the whole definition as context: one field may state the age and another the
 * act.
 */
export function listCharacterTexts(of: ModeratedCharacterFields): InputText[] {
  const { lorebook, definition, recommended_style: style, ...fields } = of;
  const parts = Object.entries(definition ?? {}).map(([part, written]) => [toPartField(part), written?.text]);
  const written = [
    ...Object.entries(fields),
    ...(parts as [string, string | undefined][]),
    ['recommended_style', style?.author_note] as const,
  ]
    .map(([field, value]) => ({ field, text: collectText(value) }))
    .filter(({ text }) => text !== '');
  const together = buildInputTexts('character', written);
  const described = together[0]?.around ?? [];
  const pages = listLoreTexts(lorebook);
  // A lorebook may contain both children and adults, so its pages share a context only when the character is a minor.
  const around = pages.length > 0 && hasMinor(joinContext(described)) ? described : [];
  return [...together, ...pages.map((text) => ({ field: 'lorebook', text, around }))];
}

/** The name of a part as a field of a refusal. */
const toPartField = (part: string): string => `definition.${part}`;

const getAudience = (visibility: OwnCharacter['visibility']) =>
  visibility === 'private' ? 'self' : 'others';

/**
 * Moderates a new character.
 * @param ofCard the imported card's data, for fields that the form omits
 */
export async function checkNewCharacter(
  context: ServiceContext,
  userId: string,
  body: NewCharacter,
  ofCard: (ExtrasView & { definition: Definition }) | null,
): Promise<TextRefusal | null> {
  const {
    name,
    oneliner,
    character_traits,
    first_message,
    about,
    alternate_greetings,
    suggested_replies,
    free_tags,
  } = body;
  const own = { name, oneliner, character_traits, first_message, alternate_greetings, suggested_replies };
  const texts = { ...own, about, free_tags };
  const nickname = body.nickname === undefined ? ofCard?.nickname : body.nickname;
  const definition = mergeDefinition(ofCard?.definition ?? null, body.definition) ?? {};
  const lorebook = body.lorebook === undefined ? ofCard?.lorebook : body.lorebook;
  const recommended_style =
    body.recommended_style === undefined ? ofCard?.recommended_style : body.recommended_style;
  const all = { ...texts, nickname, lorebook, definition, recommended_style };
  return checkTexts(context, userId, listCharacterTexts(all), {
    place: 'character',
    adult: body.nsfw_allowed,
    seen: getAudience(body.visibility),
  });
}

const TEXT_FIELDS = [
  'name',
  'oneliner',
  'character_traits',
  'first_message',
  'about',
  'alternate_greetings',
  'suggested_replies',
  'free_tags',
  'nickname',
  'lorebook',
  'definition',
  'recommended_style',
] as const;

/** The fields that a summary is generated from; changing one discards it (`computeSummaryUpdate`). */
const SUMMARY_FIELDS = ['name', 'oneliner', 'character_traits', 'first_message'] as const;

/**
 * Moderates a change of a character in the context of all its texts.
 * @param current the character before the change
 */
export async function checkCharacterChange(
  context: ServiceContext,
  userId: string,
  current: OwnCharacter,
  change: CharacterChange,
): Promise<TextRefusal | null> {
  const definition = mergeDefinition(current.definition ?? null, change.definition) ?? {};
  const now = { ...current, ...current.extras, ...change, definition };
  const becomesPublic =
    getAudience(now.visibility) === 'others' && getAudience(current.visibility) === 'self';
  const changed = new Set<string>([
    ...TEXT_FIELDS.filter((field) => field in change),
    ...Object.keys(change.definition ?? {}).map(toPartField),
  ]);
  // A text that passed as adult content was not checked by the rules for all ages.
  const all = becomesPublic || now.nsfw_allowed !== current.nsfw_allowed;
  if (!all && changed.size === 0) return null;
  const texts = listCharacterTexts(Object.fromEntries(TEXT_FIELDS.map((field) => [field, now[field]])));
  // A generated summary is published too, unless this change discards it.
  if (all && now.summary !== null && SUMMARY_FIELDS.every((field) => now[field] === current[field]))
    texts.push({ field: 'summary', text: now.summary, around: texts[0]?.around ?? [] });
  const about = { place: 'character', adult: now.nsfw_allowed, seen: getAudience(now.visibility) } as const;
  const refused = await checkTexts(context, userId, texts, { ...about, seen: 'self', changed });
  if (refused !== null || about.seen === 'self') return refused;
  return checkTexts(context, userId, all ? texts : texts.filter(({ field }) => changed.has(field)), about);
}
