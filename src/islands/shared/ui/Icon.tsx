import { ICON_PATHS, type IconName } from '../../../components/icon-paths.ts';
import { IconPath } from './IconPath.tsx';

/** One icon of the set. Always decoration: the control that holds one has the words. */
export function Icon({ name, size }: { name: IconName; size?: number }) {
  return <IconPath path={ICON_PATHS[name]} {...(size === undefined ? {} : { size })} />;
}
