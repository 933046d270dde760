import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef } from 'react';
import { BRAND } from '../../../config/brand.ts';
import type { ModelChoice } from '../../../features/model/contract.ts';
import { useTranslate, type MessageKey } from '../../shared/i18n.tsx';
import { ChatDialog } from './ChatDialog.tsx';
import { LoadFailed } from './LoadFailed.tsx';
import {
  $models,
  $modelsFailed,
  $selectedModel,
  isDemo,
  loadModels,
  refreshModels,
  selectModel,
  type ModelItem,
} from '../state/models-state.ts';

/** The description of each model; independent of the provider that serves it. */
const LINES: Record<ModelChoice, MessageKey<'chat'>> = {
  recommended: 'modelNoteRecommended',
  [BRAND.modelValue]: 'modelNoteRoleplay',
  chatgpt: 'modelNoteChatgpt',
  deepseek: 'modelNoteDeepseek',
  mistral: 'modelNoteMistral',
};

/** Lets the user choose the model that replies. The creator's recommendation comes first. */
export function ModelDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const words = useTranslate('chat');
  return (
    <ChatDialog open={open} onClose={onClose} title={words('modelTitle')}>
      <p className="text-text-quiet">{words('modelIntro')}</p>
      <ModelChoices />
    </ChatDialog>
  );
}

function ModelChoices() {
  const models = useStore($models);
  const failed = useStore($modelsFailed);
  const selected = useStore($selectedModel);
  const words = useTranslate('chat');
  const name = useId();
  const chosen = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if ($models.get().length === 0) void loadModels();
    else refreshModels();
    chosen.current?.focus();
  }, []);
  // When no configured model can reply, do not single one out.
  const isNoneAvailable = models.every(({ available }) => !available);
  if (models.length === 0) {
    return failed ? (
      <LoadFailed text={words('modelsLoadFailed')} onRetry={() => void loadModels()} />
    ) : (
      <p role="status">{words('modelsLoading')}</p>
    );
  }
  return (
    <div
      role="radiogroup"
      aria-label={words('modelListLabel')}
      className="flex flex-col border-y border-line"
    >
      {models.map((item) => (
        <label
          key={item.id}
          className={`flex min-h-11 items-baseline gap-3 border-line py-3 not-first:border-t ${item.available ? 'cursor-pointer' : 'text-text-quiet'}`}
        >
          <input
            ref={item.id === selected ? chosen : null}
            type="radio"
            name={name}
            value={item.id}
            checked={item.id === selected}
            disabled={!item.available && item.passing !== true}
            aria-describedby={`${name}-${item.id}`}
            aria-labelledby={`${name}-${item.id}-label`}
            className="size-4 shrink-0 translate-y-0.5 accent-accent focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent"
            onChange={() => selectModel(item.id)}
          />
          <span className="flex min-w-0 flex-col">
            <span id={`${name}-${item.id}-label`}>
              {item.id === 'recommended' ? words('recommended') : item.label}
            </span>
            <span id={`${name}-${item.id}`} className="text-sm text-text-quiet">
              {words(getModelNote(item, isNoneAvailable))}
            </span>
          </span>
        </label>
      ))}
    </div>
  );
}

function getModelNote(
  { id, label, available, passing }: ModelItem,
  isNoneAvailable: boolean,
): MessageKey<'chat'> {
  if (!available && passing === true) return isNoneAvailable ? 'modelNoteNoneReplies' : 'modelNotePaused';
  if (!available) return 'modelNoteNotSetUp';
  return isDemo(label) ? 'modelNoteDemo' : LINES[id];
}
