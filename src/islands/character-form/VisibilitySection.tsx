import { useStore } from '@nanostores/react';
import { useId } from 'react';
import { type Tag, TAGS } from '../../features/character/limits.ts';
import { useWords } from '../shared/i18n.tsx';
import { $session } from '../shared/session-state.ts';
import { SECONDARY } from '../shared/styles.ts';
import { characterForm } from './character-form.ts';
import { Choices } from './fields/Choices.tsx';
import { fieldId } from './fields/field-places.ts';
import { useForm } from './use-field-errors.ts';

const VISIBILITIES = ['public', 'unlisted', 'private'] as const;

/** What tags are called in the page's language. */
export type TagNames = Readonly<Record<Tag, string>>;

/** Who finds a character, and by what. @param hasSpicy whether this site has anything for adults */
export function Findable({ hasSpicy, tagNames }: { hasSpicy: boolean; tagNames: TagNames }) {
  const words = useWords('create');
  const { fields } = useForm();
  return (
    <>
      <Tags names={tagNames} />
      <Choices
        name="visibility"
        label={words('visibilityLabel')}
        choices={VISIBILITIES.map((value) => ({
          value,
          label: words(`visibility_${value}`),
          note: words(value === 'public' && !hasSpicy ? 'visibility_publicPlain' : `visibility_${value}Note`),
        }))}
        chosen={fields.visibility}
        choose={(visibility) => characterForm.write({ visibility })}
      />
      {hasSpicy || fields.nsfw_allowed ? <Adults hasSpicy={hasSpicy} /> : null}
    </>
  );
}

function Tags({ names }: { names: TagNames }) {
  const words = useWords('create');
  const { tags } = useForm().fields;
  return (
    <fieldset className="form-field">
      <legend>
        {words('tagsLabel')} <span className="quiet">{words('optional')}</span>
      </legend>
      <div className="tag-choices">
        {TAGS.map((tag) => (
          <label key={tag} className="chip">
            <input
              type="checkbox"
              checked={tags.includes(tag)}
              onChange={({ target }) =>
                characterForm.write({
                  tags: TAGS.filter((one) => (one === tag ? target.checked : tags.includes(one))),
                })
              }
            />
            {names[tag]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The switch is the shell's: it knows what has to be asked first, and draws the page anew. */
const pressSwitch = () => window.dispatchEvent(new CustomEvent('loreloom:spicy'));

/**
 * Whether stories with the character may become explicit: only for makers who have spicy mode on themselves. Where the
 * site has no such thing, it is there for a character of before, to be taken back.
 */
function Adults({ hasSpicy }: { hasSpicy: boolean }) {
  const words = useWords('create');
  const { fields, kept } = useForm();
  const { nsfw_allowed: on } = fields;
  const spicy = useStore($session, { ssr: 'initial' }).auth?.user?.spicy_mode === true;
  const field = fieldId('nsfw_allowed');
  const id = useId();
  // What is on can be taken back in any case.
  const locked = !spicy && !on;
  return (
    <div className="form-field">
      <button
        type="button"
        id={field}
        role="switch"
        aria-checked={on}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-note ${id}-off`}
        aria-disabled={locked}
        className="switch"
        onClick={() => locked || characterForm.write({ nsfw_allowed: !on })}
      >
        <span id={`${id}-label`}>{words(hasSpicy ? 'adultsLabel' : 'explicitLabel')}</span>
        <span className="switch-track" />
      </button>
      <p id={`${id}-note`} className="form-note">
        {words(hasSpicy ? 'adultsNote' : 'explicitNote')}
      </p>
      <p id={`${id}-off`} className="form-note">
        {spicy || !hasSpicy ? null : words('adultsOff')}
      </p>
      {hasSpicy && !on && kept?.looks_sexual === true ? (
        <p role="status" className="form-note">
          {words('adultsHint')}
        </p>
      ) : null}
      {spicy || !hasSpicy ? null : (
        <button type="button" className={SECONDARY} onClick={pressSwitch}>
          {words('adultsTurnOn')}
        </button>
      )}
    </div>
  );
}
