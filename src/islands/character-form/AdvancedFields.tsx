import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { CHARACTER_TEXTS } from '../../features/character/character-rules.ts';
import { CARD } from '../../features/character/limits.ts';
import { LANGUAGES } from '../../config/languages.ts';
import { parseLanguage } from '../../locales/detect.ts';
import { getLanguageName } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import type { DictionaryUrls } from '../shared/load-messages.ts';
import { FIELD } from '../shared/styles.ts';
import { characterForm } from './character-form.ts';
import { DefinitionFields } from './DefinitionFields.tsx';
import { getFieldId } from './fields/field-focus.ts';
import { lorebookStore } from './lorebook/lorebook-store.ts';
import { LorebookEditor } from './lorebook/LorebookEditor.tsx';
import { CharacterTextField, TextField } from './fields/TextField.tsx';
import { RecommendedStyle } from './RecommendedStyle.tsx';
import { useCharacterForm, useFieldError } from './use-field-errors.ts';
import './advanced-fields.css';

export function AdvancedFields({ chatWords }: { chatWords: DictionaryUrls<'chat'> }) {
  const words = useTranslate('create');
  const { fields } = useCharacterForm();
  const wrong = useFieldError();
  const { wanted } = useStore(lorebookStore.$view, { ssr: 'initial' });
  // The requested control may exist only after this render.
  useEffect(() => {
    if (wanted === null) return;
    const control = document.getElementById(wanted);
    lorebookStore.updateView({ wanted: null });
    // A part of the definition is closed until it is wanted.
    const part = control?.closest<HTMLDetailsElement>('.definition-part');
    if (part) part.open = true;
    control?.focus();
    control?.scrollIntoView({ block: 'center' });
  }, [wanted]);
  return (
    <div className="form-more-parts">
      <CharacterTextField
        field="about"
        optional
        value={fields.about}
        limit={CHARACTER_TEXTS.about.max}
        rows={6}
        wrong={wrong('about')}
        write={(about) => characterForm.write({ about })}
      />
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
      <LanguageField />
      <DefinitionFields />
      <RecommendedStyle chatWords={chatWords} />
      <LorebookEditor />
    </div>
  );
}

/** The language of the character's texts; detected when none is chosen. */
function LanguageField() {
  const words = useTranslate('create');
  const lang = useLang();
  const { language } = useCharacterForm().fields;
  const id = getFieldId('language');
  return (
    <div className="form-field">
      <div className="form-label">
        <label htmlFor={id}>{words('languageLabel')}</label>
      </div>
      <select
        id={id}
        className={FIELD}
        value={language ?? ''}
        onChange={({ target }) => characterForm.write({ language: parseLanguage(target.value) })}
      >
        {language === null ? <option value="">{words('languageDetected')}</option> : null}
        {LANGUAGES.map((code) => (
          <option key={code} value={code}>
            {getLanguageName(code, lang)}
          </option>
        ))}
      </select>
    </div>
  );
}
