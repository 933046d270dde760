// Over 400 lines: the whole life of one form. Saving drafts, publishing and importing share private state that orders
// them.
import { atom, type ReadableAtom } from 'nanostores';
import type { CardNote, ImportedCard } from '../../features/cards/contract.ts';
import type { OwnCharacter } from '../../features/character/contract.ts';
import { hasPromptPart } from '../../features/character/definition-parts.ts';
import { hasVisibleText } from '../../lib/sanitize-text.ts';
import type { Failure, Result } from '../shared/api.ts';
import type { Clock } from '../shared/clock.ts';
import { createThrottle } from '../shared/ui/throttle.ts';
import type { UploadOptions } from '../shared/send-form.ts';
import { retryAfterSignIn } from '../sign-in/reauthenticate.ts';
import type { FormApi } from './form-api.ts';
import {
  toCharacterBody,
  diffBodies,
  EMPTY_FIELDS,
  toExtraFields,
  toFields,
  hasFormChanges,
  toNewCharacterBody,
  rebaseFields,
  listRejectedFields,
  validateFields,
  applyCard,
  type CardFields,
  type CharacterFields,
  type FieldError,
  type FieldName,
} from './form-rules.ts';
import type { SavedDraft, SavedDrafts } from './saved-drafts.ts';
import {
  startAttempt,
  finishAttempt,
  mergePublications,
  createPublication,
  type Publication,
} from './publication.ts';

/** A failure of the whole form: a server refusal, or a case with its own message. */
export type FormFailure =
  | { what: 'create' | 'update'; failure: Failure }
  /** The card that the draft came from is no longer stored. */
  | { what: 'card_lost' }
  | { what: 'created_not_changed' };

export interface FormState {
  /** `idle` until opened; `missing`: the user has no such character; `done`: published. */
  status: 'idle' | 'loading' | 'ready' | 'failed' | 'missing' | 'done';
  /** Id of the user. */
  who: string | null;
  /** The character to edit; null for a new one. */
  id: string | null;
  /** The stored character; null for a new one. */
  kept: OwnCharacter | null;
  fields: CharacterFields;
  importId: string | null;
  /** Data of the imported card; null without a card. */
  card: CardFields | null;
  notes: readonly CardNote[];
  /** Whether the form was restored from the device's draft. */
  isRestored: boolean;
  /** Whether the draft's picture has been deleted on the server. */
  pictureLost: boolean;
  /** True after the first attempt to save: missing fields are reported only then. */
  isSubmitted: boolean;
  busy: boolean;
  trouble: FormFailure | null;
  /** Fields that the server rejected. */
  refused: readonly FieldName[];
}

/**
 * Whether both states are the same user's form of the same character and card, so that removed content may be put back.
 */
export const isSameForm = (a: FormState, b: FormState): boolean =>
  a.who === b.who && a.id === b.id && a.importId === b.importId;

/** State of the character form. */
export interface CharacterForm {
  $form: ReadableAtom<FormState>;
  /** Opens the form: the device's draft applied to the server's version. */
  open(who: string, id: string | null): Promise<void>;
  /** Closes the form. The draft stays on the device. */
  close(): void;
  write(part: Partial<CharacterFields>): void;
  /** Publishes or saves. Resolves to null on failure; the state has the reason. */
  save(): Promise<OwnCharacter | null>;
  /** Discards all unsaved changes. @returns undoes it */
  discard(): () => void;
  /** Fills the form from a card. @returns undoes it */
  importCard(card: ImportedCard): () => void;
  uploadPicture(picture: Blob, sending: UploadOptions): Promise<Failure | null>;
  uploadCard(file: File, sending: UploadOptions): Promise<Result<ImportedCard>>;
  /** Call when the form's picture fails to load: removes it if it no longer exists. */
  handlePictureError(): Promise<void>;
  /** Saves the draft immediately, before the page may be closed. */
  saveDraftNow(): void;
  /** Whether leaving the page would lose changes. */
  isUnsaved(): boolean;
}

export interface FormDeps {
  api: FormApi;
  drafts: SavedDrafts;
  clock: Clock;
  /** Asks the user to sign in again after the session ended. @returns the id of the signed-in user; null for none */
  signIn(): Promise<string | null>;
  /** Makes a unique draft id. */
  newKey(): string;
  /** Called when a character was created but not all of it was saved; the form then edits that character. */
  onCreated(id: string): void;
}

export const CLOSED_FORM: FormState = {
  status: 'idle',
  who: null,
  id: null,
  kept: null,
  fields: EMPTY_FIELDS,
  importId: null,
  card: null,
  notes: [],
  isRestored: false,
  pictureLost: false,
  isSubmitted: false,
  busy: false,
  trouble: null,
  refused: [],
};

/** Delay before a draft is saved, in milliseconds; serializing a large lorebook takes time. */
export const SAVE_DELAY_MS = 300;

/** The fields before any edit. */
const getOriginalFields = ({ kept, card }: FormState) =>
  kept === null ? { ...EMPTY_FIELDS, ...toExtraFields(card) } : toFields(kept);

/** The lorebook before any edit. */
export const getOriginalLorebook = ({ kept, card }: Pick<FormState, 'kept' | 'card'>) =>
  (kept?.extras ?? card)?.lorebook ?? null;

/** Whether a character may lack traits: it comes from a card, never had any texts, or a part describes it to models. */
export const mayLackTraits = ({ fields, kept, importId }: Pick<FormState, 'fields' | 'kept' | 'importId'>) =>
  importId !== null ||
  (kept !== null && !hasVisibleText(kept.character_traits) && !hasPromptPart(kept.definition)) ||
  hasPromptPart(fields.definition);

/** The form's errors. */
export const validateForm = (form: Pick<FormState, 'fields' | 'kept' | 'card' | 'importId'>): FieldError[] =>
  validateFields(form.fields, getOriginalLorebook(form), mayLackTraits(form));

/** Error code: saving stopped with an exception. */
export const UNEXPECTED_ERROR = 'unexpected_error';

/** Statuses after which the attempt created no character and never will. */
const NOT_CREATED_STATUSES: ReadonlySet<number> = new Set([400, 402, 403, 404, 413, 415, 422]);
/** The text could not be checked, so no character was created. */
const MODERATION_UNAVAILABLE = 'moderation_unavailable';
const isNotCreated = ({ status, code }: Failure) =>
  NOT_CREATED_STATUSES.has(status) || code === MODERATION_UNAVAILABLE;
/** Error code for a draft that was already published with a different text. */
const ALREADY_PUBLISHED = 'idempotency_key_reused';

export function createCharacterForm(deps: FormDeps): CharacterForm {
  const { api, drafts, signIn, newKey, onCreated } = deps;
  const $form = atom<FormState>(CLOSED_FORM);
  let publication: Publication = createPublication('');
  const draftThrottle = createThrottle(deps.clock, SAVE_DELAY_MS, saveDraft);
  let opening = 0;

  const set = (part: Partial<FormState>) => $form.set({ ...$form.get(), ...part });
  const differs = (state: FormState) =>
    hasFormChanges(state.fields, getOriginalFields(state)) || state.importId !== null;

  /** Saves unsaved changes on the device, merged with an attempt that another tab started or finished. */
  function saveDraft(): void {
    draftThrottle.cancel();
    const state = $form.get();
    const { who, id, fields, importId, notes } = state;
    if (who === null || state.status !== 'ready') return;
    if (id === null) publication = mergePublications(publication, drafts.read(who, null));
    if (differs(state) || publication.attempt !== null)
      drafts.write(who, id, { fields, from: getOriginalFields(state), importId, notes, ...publication });
    else drafts.forget(who, id);
  }

  /** Runs a call and repeats it after the same user signed in again, if the session had ended. */
  function asked<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
    return retryAfterSignIn(call, { getUserId: () => $form.get().who, signIn });
  }

  function showForm(
    who: string,
    kept: OwnCharacter | null,
    draft: SavedDraft | null,
    card: CardFields | null = null,
  ): void {
    const id = kept?.id ?? null;
    const newest = getOriginalFields({ ...CLOSED_FORM, kept, card });
    const { draftId = '', tries = 0, attempt = null } = draft ?? {};
    publication = { draftId: draftId || newKey(), tries, attempt };
    const state: FormState = {
      ...CLOSED_FORM,
      status: 'ready',
      who,
      id,
      kept,
      fields: draft === null ? newest : rebaseFields(draft.fields, draft.from, newest),
      importId: draft?.importId ?? null,
      card,
      notes: draft?.notes ?? [],
    };
    $form.set({ ...state, isRestored: differs(state) });
  }

  /** Opens the form for a new character. A draft from a card takes its lorebook from the stored card. */
  async function openNew(who: string, isLatestSave: () => boolean): Promise<void> {
    const draft = drafts.read(who, null);
    const importId = draft?.importId ?? null;
    if (draft === null || importId === null) return showForm(who, null, draft);
    const answer = await asked(() => api.cardExtras(importId));
    if (!isLatestSave()) return;
    if (answer.ok) {
      const { extras, definition } = answer.data;
      return showForm(who, null, draft, { ...extras, definition });
    }
    if (answer.status !== 404) return set({ status: 'failed' });
    // An unanswered attempt may have used up the card; repeating the attempt will tell.
    showForm(who, null, draft.attempt === null ? { ...draft, importId: null, notes: [] } : draft);
    if (draft.attempt === null) set({ trouble: { what: 'card_lost' } });
  }

  /** Captures the form before a discard or an import. @returns restores it */
  function snapshot(): () => void {
    const { who, id, fields, importId, card, notes } = $form.get();
    const before = publication;
    return () => {
      const now = $form.get();
      // The form now belongs to another user or character.
      if (now.status !== 'ready' || now.who !== who || now.id !== id) return;
      publication = before;
      set({ fields, importId, card, notes, trouble: null, refused: [], isSubmitted: false });
      saveDraft();
    };
  }

  async function change(id: string, from: CharacterFields): Promise<Result<OwnCharacter | null>> {
    const target = diffBodies(toCharacterBody(from), toCharacterBody($form.get().fields));
    return target === null ? { ok: true, data: null } : asked(() => api.change(id, target));
  }

  /** Shows a refusal. Removes a picture or card that no longer exists. */
  function failWith(what: 'create' | 'update', failure: Failure): void {
    const { fields, importId, notes } = $form.get();
    const named = failure.fields ?? {};
    const pictureLost = 'avatar_id' in named;
    const cardLost = 'import_id' in named;
    set({
      busy: false,
      trouble: cardLost ? { what: 'card_lost' } : { what, failure },
      refused: listRejectedFields(named).filter((field) => field !== 'avatar'),
      pictureLost,
      fields: pictureLost ? { ...fields, avatar: null } : fields,
      importId: cardLost ? null : importId,
      ...(cardLost ? { card: null } : {}),
      notes: cardLost ? [] : notes,
    });
    saveDraft();
  }

  /** Creates the character. Repeats an unanswered attempt first, otherwise starts a new one. */
  async function createCharacter(who: string): Promise<Result<OwnCharacter>> {
    const { fields, importId, card } = $form.get();
    const body = {
      ...toNewCharacterBody(fields, card),
      ...(importId === null ? {} : { import_id: importId }),
    };
    publication = mergePublications(publication, drafts.read(who, null));
    const isNew = publication.attempt === null;
    const begins = startAttempt(publication, body);
    publication = begins;
    // Save before sending, so that the same attempt can be repeated if the page closes.
    saveDraft();
    const { key, body: sent } = begins.attempt;
    const answer = await asked(() => api.create(sent, key));
    if (answer.ok || !isNotCreated(answer) || $form.get().who !== who) return answer;
    publication = mergePublications(publication, finishAttempt(begins));
    saveDraft();
    // The refusal concerns an older text; the current text has not been tried yet.
    const isOlder = !isNew && JSON.stringify(sent) !== JSON.stringify(body);
    return isOlder && answer.code !== ALREADY_PUBLISHED ? createCharacter(who) : answer;
  }

  async function publishDraft(who: string): Promise<OwnCharacter | null> {
    const answer = await createCharacter(who);
    // The form now belongs to another user.
    if ($form.get().who !== who) return null;
    if (!answer.ok) {
      failWith('create', answer);
      return null;
    }
    const created = answer.data;
    // The created character may come from an older attempt; send the edits made since.
    const changed = await change(created.id, toFields(created));
    // Keep a draft that another tab has started since.
    if (drafts.read(who, null)?.draftId === publication.draftId) drafts.forget(who, null);
    if ($form.get().who !== who) return null;
    publication = createPublication(newKey());
    if (changed.ok) {
      set({ status: 'done' });
      return changed.data ?? created;
    }
    set({
      busy: false,
      id: created.id,
      kept: created,
      importId: null,
      card: null,
      trouble: { what: 'created_not_changed' },
    });
    saveDraft();
    onCreated(created.id);
    return null;
  }

  async function update(who: string, kept: OwnCharacter): Promise<OwnCharacter | null> {
    const { fields: sent } = $form.get();
    const answer = await change(kept.id, toFields(kept));
    if ($form.get().who !== who) return null;
    if (!answer.ok) {
      failWith('update', answer);
      return null;
    }
    const now = answer.data ?? kept;
    // Keep edits made during the request; they are not saved yet.
    const fields = rebaseFields($form.get().fields, sent, toFields(now));
    set({ busy: false, kept: now, fields, isRestored: false, isSubmitted: false });
    saveDraft();
    return now;
  }

  function write(part: Partial<CharacterFields>): void {
    const written = Object.keys(part);
    const { fields, refused, pictureLost } = $form.get();
    set({
      fields: { ...fields, ...part },
      trouble: null,
      refused: refused.filter((field) => !written.includes(field)),
      pictureLost: pictureLost && !written.includes('avatar'),
    });
    draftThrottle.schedule();
  }

  return {
    $form,
    async open(who, id) {
      draftThrottle.flush();
      const call = ++opening;
      $form.set({ ...CLOSED_FORM, status: 'loading', who, id });
      if (id === null) return openNew(who, () => call === opening);
      const answer = await asked(() => api.own(id));
      if (call !== opening) return;
      if (answer.ok) showForm(who, answer.data, drafts.read(who, id));
      else set({ status: answer.status === 404 ? 'missing' : 'failed' });
    },
    close() {
      draftThrottle.flush();
      opening += 1;
      publication = createPublication('');
      $form.set(CLOSED_FORM);
    },
    write,
    async save() {
      const { status, who, kept, busy } = $form.get();
      if (busy || status !== 'ready' || who === null) return null;
      set({ isSubmitted: true, trouble: null, refused: [] });
      if (validateForm($form.get()).length > 0) return null;
      set({ busy: true });
      try {
        return await (kept === null ? publishDraft(who) : update(who, kept));
      } catch (error) {
        const failure: Failure = { ok: false, status: 0, code: UNEXPECTED_ERROR, error: '' };
        failWith(kept === null ? 'create' : 'update', failure);
        throw error;
      }
    },
    discard() {
      const undoDiscard = snapshot();
      publication = createPublication(newKey());
      set({
        fields: getOriginalFields({ ...$form.get(), card: null }),
        importId: null,
        card: null,
        notes: [],
        isRestored: false,
        pictureLost: false,
        isSubmitted: false,
        trouble: null,
        refused: [],
      });
      saveDraft();
      return undoDiscard;
    },
    importCard({ draft, extras, notes, import_id }) {
      const undoDiscard = snapshot();
      publication = createPublication(newKey());
      const { fields } = $form.get();
      set({
        fields: applyCard(fields, { draft, extras }),
        importId: import_id,
        card: { ...extras, definition: draft.definition },
        notes,
        isRestored: false,
        pictureLost: false,
        isSubmitted: false,
        trouble: null,
        refused: [],
      });
      saveDraft();
      return undoDiscard;
    },
    async uploadPicture(picture, sending) {
      const answer = await asked(() => api.sendPicture(picture, sending));
      if (!answer.ok) return answer;
      const { avatar_id, url } = answer.data;
      if (!sending.signal.aborted) write({ avatar: { avatar_id, url } });
      return null;
    },
    uploadCard: (file, sending) => asked(() => api.importCard(file, sending)),
    async handlePictureError() {
      const { avatar } = $form.get().fields;
      if (avatar === null || !(await api.isPictureGone(avatar.url))) return;
      if ($form.get().fields.avatar?.avatar_id !== avatar.avatar_id) return;
      write({ avatar: null });
      set({ pictureLost: true });
    },
    saveDraftNow: draftThrottle.flush,
    isUnsaved() {
      const state = $form.get();
      return state.status === 'ready' && differs(state);
    },
  };
}
