// Puts one portrait together: place, figures, thread, light. The lamp always stands on the
// side a figure's near cheek is on, so the shading drawn into the faces agrees with it.
import { drawClothes, drawCollarBack } from './clothes.mjs';
import { HEIGHT, INK, LAMP, SAFFRON, WIDTH, box, circle, fill, group, line, shade } from './draw.mjs';
import { drawFace, drawNeck } from './face.mjs';
import { drawBeard, hairBefore, hairBehind } from './hair.mjs';
import { interiors } from './interiors.mjs';
import { lands } from './lands.mjs';
import { outdoors } from './outdoors.mjs';
import { rooms } from './rooms.mjs';
import { scenes } from './scenes.mjs';
import { threads } from './threads.mjs';
import { towns } from './towns.mjs';

const places = { ...rooms, ...interiors, ...outdoors, ...towns, ...lands };

/** Gives every flat shape its dark side and a line of lamplight, whatever its outline. */
const formFilter = (id, side, rim, depth, dark = '#170c0f', weight = 0.62) =>
  `<filter id="${id}" filterUnits="userSpaceOnUse" x="0" y="0" width="${WIDTH}" height="${HEIGHT}" color-interpolation-filters="sRGB">` +
  `<feOffset in="SourceAlpha" dx="${side * depth}" dy="${-depth * 0.5}" result="moved"/><feGaussianBlur in="moved" stdDeviation="${depth * 0.42}" result="soft"/>` +
  `<feComposite in="SourceAlpha" in2="soft" operator="out" result="dark"/><feFlood flood-color="${dark}" flood-opacity="${weight}"/><feComposite in2="dark" operator="in" result="shadow"/>` +
  `<feOffset in="SourceAlpha" dx="${-side * 3.2}" dy="2.2" result="back"/><feComposite in="SourceAlpha" in2="back" operator="out" result="edge"/><feGaussianBlur in="edge" stdDeviation="0.7" result="edgeSoft"/>` +
  `<feFlood flood-color="${rim}" flood-opacity="0.6"/><feComposite in2="edgeSoft" operator="in" result="light"/><feComposite in="light" in2="SourceAlpha" operator="in" result="lit"/>` +
  `<feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="shadow"/><feMergeNode in="lit"/></feMerge></filter>`;

function drawFigure(figure, key) {
  const { at = [240, 268], scale = 1.08, flip = false, tilt = 0, face, wear, opacity = 1 } = figure;
  const place = `translate(${at[0]} ${at[1]}) scale(${flip ? -scale : scale} ${scale})`;
  const layer = (content, turned, filter = `form${key}`) =>
    content
      ? `<g filter="url(#${filter})"><g transform="${place}${turned ? ` rotate(${tilt} 0 110)` : ''}">${content}</g></g>`
      : '';
  const lift = figure.lift ?? 20;
  const dressed = (content) => (content ? `<g transform="translate(0 ${-lift})">${content}</g>` : '');
  const plain = (content) => (content ? `<g transform="${place}">${content}</g>` : '');
  const human = face && !figure.creature;
  const parts =
    layer(`${figure.behind ?? ''}`, true) +
    (human ? layer(hairBehind(face), true) : '') +
    (human
      ? layer(dressed(wear ? drawCollarBack(wear) : ''), false) +
        layer(dressed(drawNeck(face, face.neck ?? 1)), false, `skin${key}`)
      : '') +
    (wear ? layer(dressed(drawClothes(wear)), false) : '') +
    layer(figure.creature ?? '', true) +
    (human
      ? layer(drawFace(face), true, `skin${key}`) +
        layer(drawBeard(face), true, `fine${key}`) +
        layer(hairBefore(face), true, `fine${key}`)
      : '') +
    layer(figure.before ?? '', true, `fine${key}`) +
    plain(figure.hands ?? '');
  return opacity < 1 ? group(parts, { opacity }) : parts;
}

/** The whole picture as SVG text, 480 by 640, without words or fonts. */
export function drawPortrait(person) {
  const { figures = [], accent = SAFFRON, rim = LAMP } = person;
  const left = !(figures[0]?.flip ?? false);
  const lampX = left ? 96 : 384;
  const thread = threads[person.thread ?? 'shoulder'];
  const filters = figures
    .map(
      (figure, key) =>
        formFilter(`form${key}`, figure.flip ? 1 : -1, figure.rim ?? rim, 20) +
        formFilter(`fine${key}`, figure.flip ? 1 : -1, figure.rim ?? rim, 11) +
        formFilter(`skin${key}`, figure.flip ? 1 : -1, figure.rim ?? rim, 20, figure.dark ?? '#3a0f0c', 0.56),
    )
    .join('');
  const defs =
    `<defs>${filters}<filter id="far" x="0" y="0" width="1" height="1"><feGaussianBlur stdDeviation="${person.scene ? 0 : 1.1}"/></filter>` +
    `<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-52)"><path d="M0 1H5" stroke="#1c0f0c" stroke-width="1"/></pattern>` +
    `<radialGradient id="lamp" gradientUnits="userSpaceOnUse" cx="${lampX}" cy="150" r="360"><stop offset="0" stop-color="${LAMP}" stop-opacity="0.42"/><stop offset="0.5" stop-color="${accent}" stop-opacity="0.14"/><stop offset="1" stop-color="${accent}" stop-opacity="0"/></radialGradient>` +
    `<linearGradient id="side" x1="${left ? 0 : 1}" x2="${left ? 1 : 0}" y1="0" y2="0.25"><stop offset="0.4" stop-color="${INK}" stop-opacity="0"/><stop offset="1" stop-color="${INK}" stop-opacity="0.36"/></linearGradient>` +
    `<radialGradient id="edges" gradientUnits="userSpaceOnUse" cx="240" cy="268" r="430"><stop offset="0.52" stop-color="${INK}" stop-opacity="0"/><stop offset="1" stop-color="${INK}" stop-opacity="0.68"/></radialGradient>` +
    `<linearGradient id="foot" x1="0" x2="0" y1="0" y2="1"><stop offset="0.62" stop-color="${INK}" stop-opacity="0"/><stop offset="0.76" stop-color="${INK}" stop-opacity="0.36"/><stop offset="0.9" stop-color="${INK}" stop-opacity="0.84"/><stop offset="1" stop-color="${INK}" stop-opacity="0.94"/></linearGradient></defs>`;
  const whole = (paint, more = {}) => box(0, 0, WIDTH, HEIGHT, paint, more);
  const strand = (d) =>
    d
      ? line(d, shade(SAFFRON, 0.65), 4, { opacity: 0.55, transform: 'translate(1 2)' }) +
        line(d, SAFFRON, 2.3)
      : '';
  const knot = ([x, y]) =>
    fill(
      `M${x - 6} ${y}C${x - 4} ${y - 8} ${x + 6} ${y - 7} ${x + 6} ${y}C${x + 5} ${y + 7} ${x - 5} ${y + 7} ${x - 6} ${y}Z`,
      SAFFRON,
    ) +
    circle(x - 1, y - 2, 1.8, '#fff0cc') +
    line(`M${x + 3} ${y + 4}q5 6 2 13`, SAFFRON, 2);
  const scenery = person.scene ? scenes[person.scene]() : places[person.place]({ accent });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${defs}` +
    group(scenery, person.scene ? {} : { filter: 'url(#far)' }) +
    (person.scene ? '' : whole(INK, { opacity: 0.1 }) + whole('url(#hatch)', { opacity: 0.22 })) +
    whole('url(#lamp)') +
    strand(thread.back) +
    figures.map(drawFigure).join('') +
    strand(thread.front) +
    (thread.knot ? knot(thread.knot) : '') +
    (person.over ?? '') +
    whole('url(#side)') +
    whole('url(#edges)') +
    whole('url(#foot)') +
    (person.dim ? whole('url(#foot)', { opacity: person.dim }) : '') +
    '</svg>'
  );
}
