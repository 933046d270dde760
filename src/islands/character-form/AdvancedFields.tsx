import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { CARD } from '../../features/character/limits.ts';
import { findNoteLanguage } from '../../features/character/character-rules.ts';
import { hasVisibleText } from '../../lib/sanitize-text.ts';
import { formatList, getLanguageName } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { characterForm } from './character-form.ts';
import { getFieldId } from './fields/field-focus.ts';
import { lorebookStore } from './lorebook/lorebook-store.ts';
import { LorebookEditor } from './lorebook/LorebookEditor.tsx';
import { TextField } from './fields/TextField.tsx';
import { useCharacterForm, useFieldError } from './use-field-errors.ts';
import './advanced-fields.css';

export function AdvancedFields() {
  const words = useTranslate('create');
  const { fields } = useCharacterForm();
  const wrong = useFieldError();
  const { wanted } = useStore(lorebookStore.$view, { ssr: 'initial' });
  // The requested control may exist only after this render.
  useEffect(() => {
    if (wanted === null) return;
    const control = document.getElementById(wanted);
    lorebookStore.updateView({ wanted: null });
    control?.focus();
    control?.scrollIntoView({ block: 'center' });
  }, [wanted]);
  return (
    <div className="form-more-parts">
      <TextField
        id={getFieldId('nickname')}
        label={words('nicknameLabel')}
        note={words('nicknameNote')}
        optional
        value={fields.nickname}
        counted={fields.nickname.trim().length}
        limit={CARD.maxNicknameChars}
        wrong={wrong('nickname')}
        write={(nickname) => characterForm.write({ nickname })}
      />
      <CreatorNotesField />
      <LorebookEditor />
    </div>
  );
}

/** The creator's notes in the page's language; lists the other languages that have notes. */
function CreatorNotesField() {
  const words = useTranslate('create');
  const lang = useLang();
  const { creator_notes: notes } = useCharacterForm().fields;
  const wrong = useFieldError();
  const language = findNoteLanguage(notes, lang);
  const others = Object.keys(notes).filter((name) => name !== language && hasVisibleText(notes[name] ?? ''));
  const named = others.map((name) => getLanguageName(name, lang));
  const kept = named.length === 0 ? '' : words('creator_notesOthers', { languages: formatList(named, lang) });
  return (
    <TextField
      id={getFieldId('creator_notes')}
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
