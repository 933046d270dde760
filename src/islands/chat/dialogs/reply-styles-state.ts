import { atom, type ReadableAtom } from 'nanostores';
import type {
  CreateReplyStyleBody,
  NamedReplyStyle,
  ReplyStyle,
  ReplyStyleChange,
  ReplyStyleList,
} from '../../../features/reply-style/contract.ts';
import { isSameStyle, pickStyle } from '../../../features/reply-style/reply-style.ts';
import { MAX_STYLE_FILE_BYTES, parseStyleFile } from '../../../features/reply-style/style-file.ts';
import {
  checkOk,
  client,
  encodePathPart,
  readJson,
  type Client,
  type Failure,
  type Result,
} from '../../shared/api.ts';

/** The API calls for named styles. Tests replace them. */
export interface ReplyStylesApi {
  list(): Promise<Result<ReplyStyleList>>;
  create(body: CreateReplyStyleBody): Promise<Result<NamedReplyStyle>>;
  change(id: string, change: ReplyStyleChange): Promise<Result<NamedReplyStyle>>;
  remove(id: string): Promise<Result<null>>;
}

function createReplyStylesApi({ 'reply-styles': styles }: Client): ReplyStylesApi {
  const toParams = (id: string) => ({ id: encodePathPart(id) });
  return {
    list: () => readJson(styles.$get()),
    create: (body) => readJson(styles.$post({ json: body })),
    change: (id, change) => readJson(styles[':id'].$patch({ param: toParams(id), json: change })),
    remove: (id) => checkOk(styles[':id'].$delete({ param: toParams(id) })),
  };
}

export const replyStylesApi: ReplyStylesApi = createReplyStylesApi(client);

/** Why a chosen file is no style. */
export type StyleFileProblem = 'file_wrong' | 'file_too_large';

export interface ReplyStylesState {
  phase: 'loading' | 'ready' | 'failed';
  /** By name. */
  items: readonly NamedReplyStyle[];
  limit: number;
  /** The style that was applied last; null for the conversation's own settings. */
  chosenId: string | null;
  busy: boolean;
  /** What was done last, for a status line. */
  outcome: { kind: 'saved' | 'changed' | 'deleted' | 'imported'; name: string } | null;
  /** A deleted style that can be restored. */
  deleted: NamedReplyStyle | null;
  /** Why the last action failed. */
  problem: Failure | StyleFileProblem | null;
}

/** The named styles of a user, next to the form that they fill. */
export interface ReplyStyles {
  $styles: ReadableAtom<ReplyStylesState>;
  /** Loads the styles and marks the one with these settings as chosen. */
  load(current: ReplyStyle): Promise<void>;
  /**
   * Chooses a style, or the settings that the form had before any was chosen.
   * @returns what the form has to show
   */
  choose(id: string | null, current: ReplyStyle): ReplyStyle;
  /** Saves settings as a new style and chooses it. @returns whether it was saved */
  saveAs(name: string, current: ReplyStyle): Promise<boolean>;
  /** Changes the chosen style. @returns whether it was changed */
  changeChosen(change: ReplyStyleChange): Promise<boolean>;
  /** Deletes the chosen style; the form keeps its settings. */
  deleteChosen(): Promise<void>;
  /** Saves the deleted style again. */
  restoreDeleted(): Promise<void>;
  /** Saves the style of a file and chooses it. @returns what the form has to show; null when it failed */
  importFile(file: File, current: ReplyStyle): Promise<ReplyStyle | null>;
}

/** @returns the style of a file, or why it has none */
async function readStyleFile(file: File): Promise<CreateReplyStyleBody | StyleFileProblem> {
  if (file.size > MAX_STYLE_FILE_BYTES) return 'file_too_large';
  try {
    return parseStyleFile(await file.text()) ?? 'file_wrong';
  } catch {
    // The file was moved or changed after it was chosen.
    return 'file_wrong';
  }
}

export function createReplyStyles(api: ReplyStylesApi, compareNames: Intl.Collator['compare']): ReplyStyles {
  const $styles = atom<ReplyStylesState>({
    phase: 'loading',
    items: [],
    limit: 0,
    chosenId: null,
    busy: false,
    outcome: null,
    deleted: null,
    problem: null,
  });
  const update = (change: Partial<ReplyStylesState>) => $styles.set({ ...$styles.get(), ...change });
  const findStyle = (id: string | null) => $styles.get().items.find((item) => item.id === id);
  const sort = (items: readonly NamedReplyStyle[]) =>
    items.toSorted((one, other) => compareNames(one.name, other.name));
  /** What the form had before a style was chosen. */
  let own: ReplyStyle | null = null;
  const keepOwn = (current: ReplyStyle) => {
    if ($styles.get().chosenId === null) own = current;
  };

  /** Runs one action at a time. @returns its result; null when it failed or another one was running */
  async function run<T>(call: () => Promise<Result<T>>): Promise<{ data: T } | null> {
    if ($styles.get().busy) return null;
    update({ busy: true, problem: null, outcome: null });
    const answer = await call();
    update({ busy: false, ...(answer.ok ? { deleted: null } : { problem: answer }) });
    return answer.ok ? answer : null;
  }

  async function create(
    body: CreateReplyStyleBody,
    kind: 'saved' | 'imported',
  ): Promise<NamedReplyStyle | null> {
    const made = await run(() => api.create(body));
    if (made === null) return null;
    const { data } = made;
    update({
      items: sort([...$styles.get().items, data]),
      chosenId: data.id,
      outcome: { kind, name: data.name },
    });
    return data;
  }

  return {
    $styles,
    async load(current) {
      update({ phase: 'loading', problem: null });
      const answer = await api.list();
      if (!answer.ok) return update({ phase: 'failed', problem: answer });
      const items = sort(answer.data.items);
      const chosenId = items.find((item) => isSameStyle(item, current))?.id ?? null;
      update({ phase: 'ready', items, limit: answer.data.limit, chosenId });
    },
    choose(id, current) {
      keepOwn(current);
      const found = findStyle(id);
      // A deletion can still be undone.
      const outcome = $styles.get().deleted === null ? null : $styles.get().outcome;
      update({ chosenId: found?.id ?? null, outcome, problem: null });
      return found === undefined ? (own ?? current) : pickStyle(found);
    },
    async saveAs(name, current) {
      keepOwn(current);
      return (await create({ ...current, name }, 'saved')) !== null;
    },
    async changeChosen(change) {
      const { chosenId } = $styles.get();
      if (chosenId === null) return false;
      const changed = await run(() => api.change(chosenId, change));
      if (changed === null) return false;
      const { data } = changed;
      const others = $styles.get().items.filter(({ id }) => id !== data.id);
      update({ items: sort([...others, data]), outcome: { kind: 'changed', name: data.name } });
      return true;
    },
    async deleteChosen() {
      const chosen = findStyle($styles.get().chosenId);
      if (chosen === undefined) return;
      const gone = await run(async () => {
        const answer = await api.remove(chosen.id);
        return !answer.ok && answer.status === 404 ? { ok: true, data: null } : answer;
      });
      if (gone === null) return;
      const items = $styles.get().items.filter(({ id }) => id !== chosen.id);
      const outcome = { kind: 'deleted', name: chosen.name } as const;
      update({ items, chosenId: null, deleted: chosen, outcome });
    },
    async restoreDeleted() {
      const { deleted } = $styles.get();
      if (deleted === null) return;
      const { id: _, ...body } = deleted;
      await create(body, 'saved');
    },
    async importFile(file, current) {
      const body = await readStyleFile(file);
      if (typeof body === 'string') {
        update({ problem: body, outcome: null });
        return null;
      }
      keepOwn(current);
      const made = await create(body, 'imported');
      const { problem } = $styles.get();
      // A value that the server does not accept: the file is damaged, or not ours.
      if (problem !== null && typeof problem === 'object' && problem.code === 'invalid_input')
        update({ problem: 'file_wrong' });
      return made === null ? null : pickStyle(made);
    },
  };
}
