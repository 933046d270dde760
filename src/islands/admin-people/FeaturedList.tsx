import { useStore } from '@nanostores/react';
import { useEffect, useId, useState } from 'react';
import { CaseLoadError, useRunAction } from '../admin-reports/case-components.tsx';
import type { Failure } from '../shared/api.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { createRemoteStore } from '../shared/remote-state.ts';
import { FIELD, LINK, SECONDARY } from '../shared/styles.ts';
import { peopleApi } from './people-api.ts';

/** The id in a character's link, or the text itself. */
const parseCharacterId = (text: string): string => /[0-9a-z]{26}/.exec(text)?.[0] ?? text.trim();

/** The featured characters, which can be added by their links and removed. */
export function FeaturedList() {
  const words = useTranslate('admin');
  const caseWords = useTranslate('adminReports');
  const doing = useRunAction();
  const lang = useLang();
  const id = useId();
  const [featured] = useState(() => createRemoteStore(peopleApi.featured));
  const { status, data } = useStore(featured.$state);
  const [added, setAdded] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => void featured.load(), [featured]);
  const change = async (characterId: string, isFeatured: boolean): Promise<Failure | null> => {
    setIsBusy(true);
    const failure = await peopleApi.setFeatured(characterId, isFeatured);
    if (failure === null) await featured.load();
    setIsBusy(false);
    return failure;
  };
  const add = async () => {
    const characterId = parseCharacterId(added);
    if (characterId === '') return setIsMissing(true);
    const failure = await change(characterId, true);
    setIsMissing(failure?.status === 404);
    if (failure?.status === 404) return;
    if (await doing(Promise.resolve(failure), words('featuredAdded'))) setAdded('');
  };
  return (
    <section className="part" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{words('featuredTitle')}</h2>
      <p className="text-text-quiet">{words('featuredIntro')}</p>
      <form
        noValidate
        className="flex flex-col gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <label htmlFor={id}>{words('featuredLabel')}</label>
        <div className="flex flex-wrap gap-3">
          <input
            id={id}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className={`${FIELD} min-w-0 flex-[1_1_16rem]`}
            value={added}
            aria-invalid={isMissing}
            aria-describedby={`${id}-wrong`}
            onChange={(event) => {
              setAdded(event.target.value);
              setIsMissing(false);
            }}
          />
          <button type="submit" className={SECONDARY} disabled={isBusy}>
            {words('featuredAdd')}
          </button>
        </div>
        <p id={`${id}-wrong`} role="status" className="text-sm text-danger empty:hidden">
          {isMissing ? words('featuredMissing') : null}
        </p>
      </form>
      {data === null && status === 'failed' ? <CaseLoadError again={() => void featured.load()} /> : null}
      {data === null && status !== 'failed' ? (
        <p role="status" className="text-text-quiet">
          {caseWords('loading')}
        </p>
      ) : null}
      {data?.items.length === 0 ? <p className="text-text-quiet">{words('featuredEmpty')}</p> : null}
      <ul aria-labelledby={`${id}-title`} className="rows">
        {data?.items.map(({ id: characterId, name, creator_name: creator }) => (
          <li key={characterId} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span translate="no" className="min-w-48 flex-1 [overflow-wrap:anywhere]">
              <a className={`${LINK} row-link`} href={`/${lang}/character-info/${characterId}`}>
                {name}
              </a>
              <span className="ms-3 text-sm text-text-quiet">{creator}</span>
            </span>
            <button
              type="button"
              className={SECONDARY}
              disabled={isBusy}
              aria-label={words('featuredRemoveNamed', { name })}
              onClick={() => void doing(change(characterId, false), words('featuredRemoved'))}
            >
              {words('featuredRemove')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
