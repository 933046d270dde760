import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Failure } from '../shared/api.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { AVATAR_FRAME } from '../picture/picture-crop.ts';
import { PictureDialog } from '../picture/PictureDialog.tsx';
import { MAX_PICTURE_MB, openPicture, PICTURE_TYPES, type PictureError } from '../picture/picture-file.ts';
import { sendPicture, type UploadOptions } from '../shared/send-form.ts';
import { $session } from '../shared/session-state.ts';
import { QUIET, SECONDARY } from '../shared/styles.ts';
import { FileInput } from '../shared/ui/FileInput.tsx';
import { retryAfterSignIn, pageSession } from '../sign-in/reauthenticate.ts';
import { PersonaAvatar } from './PersonaAvatar.tsx';
import type { PersonaDraft } from './persona-form.ts';

/** The picture of the persona in the form. Guests have none, because an upload needs an account. */
export function PersonaPictureField({
  draft: { avatar, name },
  write,
}: {
  draft: PersonaDraft;
  write: (part: Pick<PersonaDraft, 'avatar'>) => void;
}) {
  const words = useTranslate('personas');
  const pictureWords = useTranslate('picture');
  const { auth } = useStore($session);
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<ImageBitmap | null>(null);
  const [trouble, setTrouble] = useState<PictureError | null>(null);

  const choose = async (file: File) => {
    const picture = await openPicture(file);
    setTrouble(typeof picture === 'string' ? picture : null);
    if (typeof picture !== 'string') setOpened(picture);
  };
  const upload = async (picture: Blob, sending: UploadOptions): Promise<Failure | null> => {
    const sent = await retryAfterSignIn(() => sendPicture(picture, sending), pageSession);
    if (!sent.ok) return sent;
    if (!sending.signal.aborted) write({ avatar: { id: sent.data.avatar_id, url: sent.data.url } });
    return null;
  };
  const remove = () => {
    flushSync(() => write({ avatar: null }));
    // The pressed button is gone with the picture.
    chooser.current?.focus();
  };
  if (auth?.user?.is_anonymous !== false)
    return <p className="text-sm text-text-quiet">{words('pictureGuest')}</p>;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <PersonaAvatar url={avatar?.url ?? null} name={name} className="size-20 text-[length:var(--step-2)]" />
      <div className="flex min-w-40 flex-1 flex-col gap-1">
        <FileInput
          ref={input}
          accept={PICTURE_TYPES.join(',')}
          label={words('pictureChoose')}
          onChoose={(file) => void choose(file)}
        />
        <div className="flex flex-wrap gap-2">
          <button ref={chooser} type="button" className={SECONDARY} onClick={() => input.current?.click()}>
            {words(avatar === null ? 'pictureChoose' : 'pictureChange')}
          </button>
          {avatar === null ? null : (
            <button type="button" className={QUIET} onClick={remove}>
              {words('pictureRemove')}
            </button>
          )}
        </div>
        <p className="text-sm text-text-quiet">{words('pictureNote')}</p>
      </div>
      <p role="alert" className="w-full text-sm text-danger empty:hidden">
        {trouble === null ? null : pictureWords(trouble, { limit: MAX_PICTURE_MB })}
      </p>
      <PictureDialog
        picture={opened}
        frame={AVATAR_FRAME}
        canvas="aspect-square max-w-64 rounded-full"
        take={upload}
        onClose={() => setOpened(null)}
      />
    </div>
  );
}
