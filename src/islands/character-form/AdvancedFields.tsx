import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { CARD } from '../../features/character/limits.ts';
import { noteLanguage } from '../../features/character/character-rules.ts';
import { hasVisibleText } from '../../lib/visible-text.ts';
import { formatList, languageName } from '../../locales/format.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { characterForm } from './character-form.ts';
import { fieldId } from './fields/field-places.ts';
import { lore } from './lorebook/lore.ts';
import { LorebookEditor } from './lorebook/LorebookEditor.tsx';
import { TextField } from './fields/TextField.tsx';
import { useForm, useWrong } from './use-field-errors.ts';
import './advanced-fields.css';

/** Nickname, notes and lorebook. */
export function MoreFields() {
  const words = useWords('create');
  const { fields } = useForm();
  const wrong = useWrong();
  const { wanted } = useStore(lore.$view, { ssr: 'initial' });
  // What is led to may have to be drawn first.
  useEffect(() => {
    if (wanted === null) return;
    const control = document.getElementById(wanted);
    lore.see({ wanted: null });
    control?.focus();
    control?.scrollIntoView({ block: 'center' });
  }, [wanted]);
  return (
    <div className="form-more-parts">
      <TextField
        id={fieldId('nickname')}
        label={words('nicknameLabel')}
        note={words('nicknameNote')}
        optional
        value={fields.nickname}
        counted={fields.nickname.trim().length}
        limit={CARD.maxNicknameChars}
        wrong={wrong('nickname')}
        write={(nickname) => characterForm.write({ nickname })}
      />
      <Notes />
      <LorebookEditor />
    </div>
  );
}

/** What the creator tells people, in the language of the page; that there is more in others is said. */
function Notes() {
  const words = useWords('create');
  const lang = useLang();
  const { creator_notes: notes } = useForm().fields;
  const wrong = useWrong();
  const language = noteLanguage(notes, lang);
  const others = Object.keys(notes).filter((name) => name !== language && hasVisibleText(notes[name] ?? ''));
  const named = others.map((name) => languageName(name, lang));
  const kept = named.length === 0 ? '' : words('creator_notesOthers', { languages: formatList(named, lang) });
  return (
    <TextField
      id={fieldId('creator_notes')}
      label={words('creator_notesLabel')}
      note={[words('creator_notesNote'), kept].filter(Boolean).join(' ')}
      optional
      rows={4}
      value={notes[language] ?? ''}
      limit={CARD.maxNoteChars}
      wrong={wrong('creator_notes')}
      write={(note) => characterForm.write({ creator_notes: { ...notes, [language]: note } })}
    />
  );
}
