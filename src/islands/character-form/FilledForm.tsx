import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { showToastNext } from '../shared/flash-toast.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { LINK } from '../shared/styles.ts';
import { ERROR_TOAST_MS, showToast, UNDO_MS } from '../shared/toasts-state.ts';
import { characterForm } from './character-form.ts';
import { Choices } from './fields/Choices.tsx';
import type { Cost } from './cost-state.ts';
import { Findable } from './VisibilitySection.tsx';
import { lengthOf } from './form-rules.ts';
import { ImportCard } from './ImportCard.tsx';
import { Greetings, Replies } from './fields/ListFields.tsx';
import { More } from './AdvancedSection.tsx';
import { Portrait } from './Portrait.tsx';
import { CostLine, Deeds, FormTroubleLine, Summary } from './Publish.tsx';
import { formSentence, isUnanswered } from './sentences.ts';
import { CharacterTextField } from './fields/TextField.tsx';
import { useForm, useWrong } from './use-field-errors.ts';

/** The form itself, with somebody's character in it. */
export function FilledForm({ cost, ...findable }: { cost: Cost } & Parameters<typeof Findable>[0]) {
  const words = useWords('create');
  const errors = useWords('errors');
  const lang = useLang();
  const { kept, restored, trouble } = useForm();
  const { required } = useStore(cost.$cost, { ssr: 'initial' });
  const summary = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLFormElement>(null);
  const [vain, setVain] = useState(0);
  // Tried in vain: reading goes on with what is wrong.
  useEffect(() => {
    if (vain > 0 && summary.current?.textContent !== '') summary.current?.focus();
  }, [vain]);
  const unanswered = isUnanswered(trouble);
  useEffect(() => {
    if (!unanswered) return;
    const offer = () =>
      showToast({
        text: words('networkIsBack'),
        durationMs: UNDO_MS,
        action: { label: words('tryAgain'), act: () => top.current?.requestSubmit() },
      });
    window.addEventListener('online', offer);
    return () => window.removeEventListener('online', offer);
  }, [unanswered, words]);

  const save = async () => {
    const isNew = kept === null;
    const saved = await characterForm.save();
    if (saved !== null) {
      const { id, name, visibility } = saved;
      if (!isNew) return void showToast({ text: words('saved', { name }) });
      const hint = findable.hasSpicy && saved.looks_sexual === true ? ` ${words('adultsHint')}` : '';
      showToastNext(`${words('published', { name })}${hint}`);
      // What nobody else may see has no page that everybody has: its maker finds it among their own.
      location.assign(
        visibility === 'private'
          ? `/${lang}/creator-center`
          : `/${lang}/character-info/${encodeURIComponent(id)}`,
      );
      return;
    }
    const { trouble: met } = characterForm.$form.get();
    if (met !== null)
      showToast({
        text: formSentence(met, words, errors, { lang, required }),
        kind: 'harm',
        durationMs: ERROR_TOAST_MS,
      });
    if (met !== null && 'failure' in met && met.failure.status === 402) void cost.load();
    setVain((times) => times + 1);
  };
  const discard = () => {
    const bringBack = characterForm.discard();
    top.current?.focus({ preventScroll: true });
    showToast({
      text: words(kept === null ? 'discarded' : 'changesDiscarded'),
      durationMs: UNDO_MS,
      action: { label: words('undo'), act: bringBack },
    });
  };

  return (
    <form
      ref={top}
      noValidate
      tabIndex={-1}
      aria-label={words(kept === null ? 'title' : 'editTitle')}
      className="character-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Notes />
      {restored ? (
        <p role="status" className="form-line">
          {words('restored')}
        </p>
      ) : null}
      {kept === null ? <ImportCard /> : null}
      <div className="form-columns">
        <Portrait />
        <div className="form-parts">
          <Part title={words('lookTitle')}>
            <Texts fields={['name', 'oneliner']} />
          </Part>
          <Part title={words('selfTitle')}>
            <Texts fields={['character_traits', 'first_message']} />
            <Macros />
            <Greetings />
            <Replies />
          </Part>
          <Part title={words('tellTitle')}>
            <Telling />
          </Part>
          <Part title={words('findTitle')}>
            <Findable {...findable} />
          </Part>
          <More />
          <div className="form-end">
            <Summary ref={summary} />
            <FormTroubleLine required={required} />
            {kept === null ? <CostLine cost={cost} /> : <p className="form-note">{words('versionNote')}</p>}
            <Deeds discard={discard} />
          </div>
        </div>
      </div>
    </form>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="form-part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** How a character that is there already stands with everybody else. */
function Notes() {
  const words = useWords('create');
  const lang = useLang();
  const { kept } = useForm();
  if (kept === null || (kept.moderation === 'shown' && kept.deleted_at === undefined)) return null;
  const what =
    kept.deleted_at !== undefined ? 'trashed' : kept.moderation === 'removed' ? 'removed' : 'hidden';
  return (
    <p role="note" className="form-line">
      {words(what)}{' '}
      <a className={`${LINK} row-link`} href={`/${lang}/creator-center`}>
        {words('myCharacters')}
      </a>
      {what === 'trashed' ? null : (
        <a className={`${LINK} row-link ms-4`} href="/account#decisions">
          {words('whyHidden')}
        </a>
      )}
    </p>
  );
}

const ROWS = { name: undefined, oneliner: undefined, character_traits: 10, first_message: 6 } as const;

function Texts({ fields }: { fields: readonly (keyof typeof ROWS)[] }) {
  const { fields: written } = useForm();
  const wrong = useWrong();
  return fields.map((field) => {
    const { used, limit } = lengthOf(field, written[field]);
    return (
      <CharacterTextField
        key={field}
        field={field}
        optional={field === 'first_message'}
        value={written[field]}
        counted={used}
        limit={limit}
        rows={ROWS[field]}
        wrong={wrong(field)}
        write={(value) => characterForm.write({ [field]: value })}
      />
    );
  });
}

/** What writes names into a text by itself. */
function Macros() {
  const words = useWords('create');
  return (
    <div className="form-macros">
      <p>{words('macrosTitle')}</p>
      <ul>
        <li>
          <code>{'{{user}}'}</code> {words('macroUser')}
        </li>
        <li>
          <code>{'{{char}}'}</code> {words('macroChar')}
        </li>
      </ul>
    </div>
  );
}

const MODELS = ['roleplay', 'chatgpt'] as const;
const VIEWS = ['normal', 'multiPeople', 'rpg', 'reverse'] as const;

/** By which model and from where a story is told. */
function Telling() {
  const words = useWords('create');
  const { fields } = useForm();
  return (
    <>
      <Choices
        name="model_type"
        label={words('model_typeLabel')}
        note={words('model_typeNote')}
        choices={MODELS.map((value) => ({
          value,
          label: words(`model_${value}`),
          note: words(`model_${value}Note`),
          ...(value === 'roleplay' ? { badge: words('recommended') } : {}),
        }))}
        chosen={fields.model_type}
        choose={(model_type) => characterForm.write({ model_type })}
      />
      <Choices
        name="point_of_view"
        label={words('point_of_viewLabel')}
        choices={VIEWS.map((value) => ({
          value,
          label: words(`view_${value}`),
          note: words(`view_${value}Note`),
        }))}
        chosen={fields.point_of_view}
        choose={(point_of_view) => characterForm.write({ point_of_view })}
      />
    </>
  );
}
