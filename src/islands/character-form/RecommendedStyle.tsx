import { useRef } from 'react';
import { DEFAULT_REPLY_STYLE } from '../../features/reply-style/reply-style.ts';
import { ReplyStyleFields } from '../chat/dialogs/ReplyStyleFields.tsx';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import type { DictionaryUrls } from '../shared/load-messages.ts';
import { LazyMessages } from '../shared/ui/LazyMessages.tsx';
import { characterForm } from './character-form.ts';
import { getFieldId } from './fields/field-focus.ts';
import { FieldErrorText } from './fields/TextField.tsx';
import { useCharacterForm, useFieldError } from './use-field-errors.ts';

/**
 * The reply style that new conversations start with. Its fields are those of the reply settings, with the chat's texts,
 * which load when they are needed.
 */
export function RecommendedStyle({ chatWords }: { chatWords: DictionaryUrls<'chat'> }) {
  const words = useTranslate('create');
  const lang = useLang();
  const { recommended_style: style } = useCharacterForm().fields;
  const wrong = useFieldError()('recommended_style');
  const id = getFieldId('recommended_style');
  // Switching it off and on again loses nothing.
  const previous = useRef(DEFAULT_REPLY_STYLE);
  const toggle = () => {
    if (style !== null) previous.current = style;
    characterForm.write({ recommended_style: style === null ? previous.current : null });
  };
  return (
    <section className="recommended-style">
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={style !== null}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-note ${id}-wrong`}
        className="switch"
        onClick={toggle}
      >
        <span id={`${id}-label`}>{words('recommended_styleLabel')}</span>
        <span className="switch-track" />
      </button>
      <p id={`${id}-note`} className="form-note">
        {words('recommended_styleNote')}
      </p>
      <FieldErrorText id={id} wrong={wrong} />
      {style === null ? null : (
        <LazyMessages name="recommended-style" lang={lang} files={chatWords}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only limits what Enter does */}
          <div
            role="group"
            aria-labelledby={`${id}-label`}
            className="recommended-style-fields"
            onKeyDown={(event) => {
              // Enter must not submit the form; only the button publishes.
              if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
            }}
          >
            <ReplyStyleFields
              style={style}
              onChange={(change) => characterForm.write({ recommended_style: { ...style, ...change } })}
            />
          </div>
        </LazyMessages>
      )}
    </section>
  );
}
