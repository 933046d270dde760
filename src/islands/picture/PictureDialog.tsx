import { type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import type { Failure } from '../shared/api.ts';
import { DialogHead, PANEL } from '../shared/ui/DialogHead.tsx';
import { formatFailure } from '../shared/errors.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { Modal } from '../shared/ui/Modal.tsx';
import { CENTERED_CROP, type Crop, dragCrop, type Frame, MAX_ZOOM } from './picture-crop.ts';
import { cropPicture, drawCrop } from './picture-file.ts';
import { useReturnFocus } from '../shared/ui/return-focus.ts';
import type { UploadOptions } from '../shared/send-form.ts';
import { PRIMARY, QUIET } from '../shared/styles.ts';

interface PictureDialogHandle {
  /** The frame to crop to. */
  frame: Frame;
  /** Classes of the preview canvas. */
  canvas: string;
  /** Receives the cropped picture; resolves to null on success. */
  take: (picture: Blob, sending: UploadOptions) => Promise<Failure | null>;
  onTaken?: () => void;
}

/** Crops a picture to a frame by dragging or with sliders, and then frees it. May be used inside a form. */
export function PictureDialog({
  picture,
  onClose,
  ...cut
}: PictureDialogHandle & { picture: ImageBitmap | null; onClose: () => void }) {
  const words = useTranslate('picture');
  const titleId = useId();
  useReturnFocus(picture !== null);
  return (
    <Modal open={picture !== null} onClose={onClose} labelledBy={titleId} className={PANEL}>
      <DialogHead titleId={titleId} title={words('cropTitle')} />
      {picture === null ? null : <CropEditor picture={picture} onClose={onClose} {...cut} />}
    </Modal>
  );
}

const SLIDERS = [
  { part: 'zoom', min: 1, max: MAX_ZOOM },
  { part: 'x', min: 0, max: 1 },
  { part: 'y', min: 0, max: 1 },
] as const;

function CropEditor({
  picture,
  frame,
  canvas: canvasClass,
  take,
  onTaken,
  onClose,
}: PictureDialogHandle & { picture: ImageBitmap; onClose: () => void }) {
  const words = useTranslate('picture');
  const errors = useTranslate('errors');
  const lang = useLang();
  const id = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const dragStart = useRef<{ x: number; y: number } | null>(null);
  const stop = useRef(new AbortController());
  const [crop, setCrop] = useState<Crop>(CENTERED_CROP);
  const [sent, setSent] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | 'picture_unreadable' | null>(null);
  const busy = sent !== null;

  useEffect(() => first.current?.focus(), []);
  // Closing the dialog cancels the upload.
  useEffect(() => {
    const { current: controller } = stop;
    return () => controller.abort();
  }, []);
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, picture, crop, frame);
  }, [picture, crop, frame]);
  // Not in the close handler: React may run the drawing effect above after it, and a closed picture cannot be drawn.
  useEffect(() => () => picture.close(), [picture]);

  const hand = async () => {
    setSent(0);
    setFailure(null);
    const { signal } = stop.current;
    const cut = await cropPicture(picture, crop, frame);
    if (signal.aborted) return;
    const trouble = cut === null ? 'picture_unreadable' : await take(cut, { signal, onProgress: setSent });
    if (signal.aborted) return;
    setSent(null);
    if (trouble !== null) return setFailure(trouble);
    onClose();
    onTaken?.();
  };
  const drag = (event: PointerEvent<HTMLCanvasElement>) => {
    if (dragStart.current === null) return;
    const { clientX: x, clientY: y } = event;
    const { clientWidth, clientHeight } = event.currentTarget;
    const offset = {
      x: (x - dragStart.current.x) / clientWidth,
      y: (y - dragStart.current.y) / clientHeight,
    };
    dragStart.current = { x, y };
    setCrop((before) => dragCrop(picture, before, frame, offset));
  };

  return (
    <div className="flex flex-col gap-4">
      <p id={`${id}-text`}>{words('cropText')}</p>
      <canvas
        ref={canvas}
        role="img"
        aria-label={words('cropPreview')}
        className={`mx-auto w-full touch-none bg-surface-2 ${canvasClass}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          dragStart.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={drag}
        onPointerUp={() => (dragStart.current = null)}
        onPointerCancel={() => (dragStart.current = null)}
      />
      {SLIDERS.map(({ part, min, max }, index) => (
        <label key={part} className="flex flex-wrap items-center gap-x-3 text-sm text-text-quiet">
          <span className="min-w-28 flex-1">{words(`crop_${part}`)}</span>
          <input
            ref={index === 0 ? first : null}
            type="range"
            min={min}
            max={max}
            step={(max - min) / 100}
            value={crop[part]}
            className="h-11 min-w-40 flex-2 accent-accent"
            onChange={(event) => setCrop({ ...crop, [part]: Number(event.target.value) })}
          />
        </label>
      ))}
      {busy ? (
        <progress
          aria-label={words('uploading')}
          className="h-2 w-full accent-accent"
          {...(sent > 0 && sent < 1 ? { value: sent } : {})}
        />
      ) : null}
      <p role="alert" className="text-danger empty:hidden">
        {failure === null
          ? null
          : failure === 'picture_unreadable'
            ? words(failure)
            : formatFailure(failure, errors, lang)}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <button type="button" className={QUIET} onClick={onClose}>
          {words('cancel')}
        </button>
        <button type="button" className={PRIMARY} aria-busy={busy} onClick={() => busy || void hand()}>
          {words(busy ? 'uploading' : 'cropSave')}
        </button>
      </div>
    </div>
  );
}
