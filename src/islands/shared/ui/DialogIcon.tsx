import { DIALOG_ICON_PATHS } from '../../../components/dialog-icon-paths.ts';
import { IconPath } from './IconPath.tsx';

/** An icon of the small set that all dialogs share. */
export function DialogIcon({ name }: { name: keyof typeof DIALOG_ICON_PATHS }) {
  return <IconPath path={DIALOG_ICON_PATHS[name]} />;
}
