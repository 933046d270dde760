import { atom, type ReadableAtom } from 'nanostores';
import type {
  ChangeReplySettingsBody,
  ReplySettings,
  ReplySettingsView,
} from '../../../features/conversation/prompt/reply-settings-contract.ts';
import {
  client,
  encodePathPart,
  readJson,
  type Client,
  type Failure,
  type Result,
} from '../../shared/api.ts';

/** The API calls for reply settings. Tests replace them. */
export interface ReplySettingsApi {
  get(conversationId: string): Promise<Result<ReplySettingsView>>;
  change(conversationId: string, change: ChangeReplySettingsBody): Promise<Result<ReplySettings>>;
}

function createReplySettingsApi({ conversations }: Client): ReplySettingsApi {
  const settings = conversations[':id']['reply-settings'];
  const toParams = (id: string) => ({ id: encodePathPart(id) });
  return {
    get: (id) => readJson(settings.$get({ param: toParams(id) })),
    change: (id, change) => readJson(settings.$patch({ param: toParams(id), json: change })),
  };
}

export const replySettingsApi: ReplySettingsApi = createReplySettingsApi(client);

export interface ReplySettingsState {
  phase: 'loading' | 'ready' | 'failed';
  /** As they are stored. */
  saved: ReplySettings | null;
  /** As the user has edited them. */
  edited: ReplySettings | null;
  /** What the character's creator recommends; null for nothing. */
  recommended: ReplySettings | null;
  saving: boolean;
  /** Why loading or saving failed. */
  problem: Failure | null;
}

/** A form for the reply settings of one conversation. */
export interface ReplySettingsForm {
  $form: ReadableAtom<ReplySettingsState>;
  load(): Promise<void>;
  edit(change: Partial<ReplySettings>): void;
  hasUnsaved(): boolean;
  /** Sends what has changed. @returns whether everything is saved; a failure keeps what the user has edited */
  save(): Promise<boolean>;
}

/** Returns the settings that differ. */
function findChanges(saved: ReplySettings, edited: ReplySettings): ChangeReplySettingsBody {
  const names = Object.keys(edited) as (keyof ReplySettings)[];
  return Object.fromEntries(
    names.filter((name) => edited[name] !== saved[name]).map((name) => [name, edited[name]]),
  );
}

export function createReplySettingsForm(api: ReplySettingsApi, conversationId: string): ReplySettingsForm {
  const $form = atom<ReplySettingsState>({
    phase: 'loading',
    saved: null,
    edited: null,
    recommended: null,
    saving: false,
    problem: null,
  });
  const update = (change: Partial<ReplySettingsState>) => $form.set({ ...$form.get(), ...change });
  const listChanges = () => {
    const { saved, edited } = $form.get();
    return saved === null || edited === null ? {} : findChanges(saved, edited);
  };
  const hasUnsaved = () => Object.keys(listChanges()).length > 0;
  return {
    $form,
    hasUnsaved,
    async load() {
      update({ phase: 'loading', problem: null });
      const answer = await api.get(conversationId);
      if (!answer.ok) return update({ phase: 'failed', problem: answer });
      const { recommended_style: recommended, ...saved } = answer.data;
      update({ phase: 'ready', saved, edited: saved, recommended });
    },
    edit(change) {
      const { edited } = $form.get();
      if (edited !== null) update({ edited: { ...edited, ...change } });
    },
    async save() {
      if ($form.get().saving) return false;
      if (!hasUnsaved()) return true;
      update({ saving: true, problem: null });
      const answer = await api.change(conversationId, listChanges());
      // What the user has edited since then stays.
      if (answer.ok) update({ saving: false, saved: answer.data });
      else update({ saving: false, problem: answer });
      return answer.ok && !hasUnsaved();
    },
  };
}
