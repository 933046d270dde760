import { type DragEvent, useRef, useState } from 'react';
import { useTranslate } from '../shared/i18n.tsx';
import { UserText } from '../shared/ui/UserText.tsx';
import { PORTRAIT_FRAME } from '../picture/picture-crop.ts';
import { PictureDialog } from '../picture/PictureDialog.tsx';
import { MAX_PICTURE_MB, openPicture, PICTURE_TYPES, type PictureError } from '../picture/picture-file.ts';
import { SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { FileInput } from '../shared/ui/FileInput.tsx';
import { characterForm } from './character-form.ts';
import { getFieldId } from './fields/field-focus.ts';
import { FieldErrorText } from './fields/TextField.tsx';
import { useCharacterForm, useFieldError } from './use-field-errors.ts';

/** The portrait, previewed as a character card. Accepts a chosen or dropped picture. */
export function PortraitField() {
  const words = useTranslate('create');
  const pictureWords = useTranslate('picture');
  const { fields, pictureLost } = useCharacterForm();
  const wrong = useFieldError();
  const input = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<ImageBitmap | null>(null);
  const [trouble, setTrouble] = useState<PictureError | null>(null);
  const [over, setOver] = useState(false);
  const { avatar, name, oneliner } = fields;
  const id = getFieldId('avatar');

  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    const picture = await openPicture(file);
    setTrouble(typeof picture === 'string' ? picture : null);
    if (typeof picture !== 'string') setOpened(picture);
  };
  const updateHover = (isOver: boolean) => (event: DragEvent) => {
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
      {/* A file dropped here is a picture; elsewhere on the page it is a card. */}
      <div
        className="character-card portrait-drop"
        data-over={over || undefined}
        data-drop="picture"
        onDragEnter={updateHover(true)}
        onDragOver={updateHover(true)}
        onDragLeave={updateHover(false)}
        onDrop={(event) => {
          updateHover(false)(event);
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
              onError={() => void characterForm.handlePictureError()}
            />
          )}
          <span className="name">{name.trim() === '' ? words('namePreview') : <UserText text={name} />}</span>
        </span>
        <span className="oneliner">
          {oneliner.trim() === '' ? words('onelinerPreview') : <UserText text={oneliner} />}
        </span>
      </div>
      <FileInput
        ref={input}
        accept={PICTURE_TYPES.join(',')}
        label={words('avatarChoose')}
        onChoose={(file) => void choose(file)}
      />
      <button
        type="button"
        id={id}
        className={SECONDARY}
        aria-describedby={`${id}-wrong ${id}-note`}
        onClick={() => input.current?.click()}
      >
        {words(avatar === null ? 'avatarChoose' : 'avatarChange')}
      </button>
      <FieldErrorText id={id} wrong={said()} />
      <p id={`${id}-note`} className="form-note">
        {words('avatarNote', { limit: MAX_PICTURE_MB })}
      </p>
      <PictureDialog
        picture={opened}
        frame={PORTRAIT_FRAME}
        canvas="portrait-crop"
        take={characterForm.uploadPicture}
        onTaken={() => showToast({ text: words('avatarAdded') })}
        onClose={() => setOpened(null)}
      />
    </section>
  );
}
