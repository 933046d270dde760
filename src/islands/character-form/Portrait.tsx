import { type DragEvent, useRef, useState } from 'react';
import { useWords } from '../shared/i18n.tsx';
import { FreeText } from '../shared/ui/UserText.tsx';
import { PORTRAIT_FRAME } from '../picture/picture-crop.ts';
import { PictureDialog } from '../picture/PictureDialog.tsx';
import { MAX_PICTURE_MB, openPicture, PICTURE_TYPES, type PictureTrouble } from '../picture/picture-file.ts';
import { SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { characterForm } from './character-form.ts';
import { fieldId } from './fields/field-places.ts';
import { Wrong } from './fields/TextField.tsx';
import { useForm, useWrong } from './use-field-errors.ts';

/** The character's picture, as cards show it, with what is written so far; chosen, or dropped on it. */
export function Portrait() {
  const words = useWords('create');
  const pictureWords = useWords('picture');
  const { fields, pictureLost } = useForm();
  const wrong = useWrong();
  const input = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<ImageBitmap | null>(null);
  const [trouble, setTrouble] = useState<PictureTrouble | null>(null);
  const [over, setOver] = useState(false);
  const { avatar, name, oneliner } = fields;
  const id = fieldId('avatar');

  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    const picture = await openPicture(file);
    setTrouble(typeof picture === 'string' ? picture : null);
    if (typeof picture !== 'string') setOpened(picture);
  };
  const hover = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isOver);
  };
  const said = () => {
    if (trouble !== null) return pictureWords(trouble, { limit: MAX_PICTURE_MB });
    return pictureLost ? words('avatarLost') : wrong('avatar');
  };

  return (
    <section className="portrait-field" aria-labelledby={`${id}-label`}>
      <h2 id={`${id}-label`} className="form-label">
        {words('avatarLabel')}
      </h2>
      {/* A file dropped here is a picture; anywhere else it is a card. */}
      <div
        className="character-card portrait-drop"
        data-over={over || undefined}
        data-drop="picture"
        onDragEnter={hover(true)}
        onDragOver={hover(true)}
        onDragLeave={hover(false)}
        onDrop={(event) => {
          hover(false)(event);
          void choose(event.dataTransfer.files[0]);
        }}
      >
        <span className="portrait">
          {avatar === null ? (
            <span className="portrait-empty">{words('avatarDrop')}</span>
          ) : (
            <img
              src={avatar.url}
              alt={words('avatarPreview')}
              width="480"
              height="640"
              onError={() => void characterForm.missPicture()}
            />
          )}
          <span className="name">{name.trim() === '' ? words('nameEmpty') : <FreeText text={name} />}</span>
        </span>
        <span className="oneliner">
          {oneliner.trim() === '' ? words('onelinerEmpty') : <FreeText text={oneliner} />}
        </span>
      </div>
      <input
        ref={input}
        type="file"
        accept={PICTURE_TYPES.join(',')}
        aria-label={words('avatarChoose')}
        className="sr-only"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          void choose(currentTarget.files?.[0]);
          // The same file, chosen again, is a choice too.
          currentTarget.value = '';
        }}
      />
      <button
        type="button"
        id={id}
        className={SECONDARY}
        aria-describedby={`${id}-wrong ${id}-note`}
        onClick={() => input.current?.click()}
      >
        {words(avatar === null ? 'avatarChoose' : 'avatarOther')}
      </button>
      <Wrong id={id} wrong={said()} />
      <p id={`${id}-note`} className="form-note">
        {words('avatarNote', { limit: MAX_PICTURE_MB })}
      </p>
      <PictureDialog
        picture={opened}
        frame={PORTRAIT_FRAME}
        canvas="portrait-crop"
        take={characterForm.takePicture}
        onTaken={() => showToast({ text: words('avatarTaken') })}
        onClose={() => {
          opened?.close();
          setOpened(null);
        }}
      />
    </section>
  );
}
