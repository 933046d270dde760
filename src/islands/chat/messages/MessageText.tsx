import { memo, useState } from 'react';
import type { Span } from '../../../features/markup/markup-spans.ts';
import {
  getRowText,
  parseMarkup,
  type Block,
  type ListItem,
  type MessageDocument,
  type TableRow,
} from '../../../features/markup/parse-markup.ts';
import { useTranslate } from '../../shared/i18n.tsx';

/**
 * Renders a message's text. Each block takes its direction from its own content. While the text streams in, only the last
 * block is parsed and rendered again.
 */
export const MessageText = memo(function StoryText({
  text,
  growing: isStreaming,
  initial,
}: {
  text: string;
  /** The text is still streaming in. */
  growing: boolean;
  /** The class that styles the first letter of the first paragraph; empty for none. */
  initial: string;
}) {
  const [readBlocks] = useState(createBlockReader);
  const { blocks } = readBlocks(text, isStreaming);
  return blocks.map((block, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- blocks are only appended and never reordered
    <BlockView key={index} block={block} initial={index === 0 ? initial : ''} />
  ));
});

/** From this number on, a list's numbers are wider than its margin. */
const WIDE_NUMBER = 100;

/** Creates a parser that reuses the finished blocks of the text it parsed last. */
function createBlockReader() {
  let earlier: MessageDocument | undefined;
  return (text: string, growing: boolean): MessageDocument => {
    earlier = parseMarkup(text, growing, earlier);
    return earlier;
  };
}

const BlockView = memo(function BlockView({ block, initial = '' }: { block: Block; initial?: string }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p dir="auto" className={initial}>
          <Spans spans={block.spans} />
        </p>
      );
    case 'heading':
      // A paragraph, because a heading in a message is not part of the page's outline.
      return (
        <p dir="auto" className="story-heading">
          <Spans spans={block.spans} />
        </p>
      );
    case 'quote':
      return (
        <blockquote dir={getDirection(block.blocks)}>
          <InnerBlocks blocks={block.blocks} />
        </blockquote>
      );
    case 'list':
      return <List items={block.items} ordered={block.ordered} />;
    case 'table':
      return <Table table={block} />;
    case 'code':
      return (
        <pre dir="auto">
          <code>{block.text}</code>
        </pre>
      );
    case 'rule':
      return <hr />;
    case 'plain':
      return <p dir="auto">{block.text}</p>;
  }
});

/** A table takes its direction from its text. Wider than the message, it scrolls, also by keyboard. */
function Table({ table: { columns, head, rows } }: { table: Block & { kind: 'table' } }) {
  const drawCells = (row: TableRow, Cell: 'th' | 'td') =>
    row.map((spans, column) => (
      <Cell
        // oxlint-disable-next-line react/no-array-index-key -- cells are never reordered
        key={column}
        scope={Cell === 'th' ? 'col' : undefined}
        className={columns[column] ?? undefined}
      >
        <Spans spans={spans} />
      </Cell>
    ));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- makes the table scrollable by keyboard
    <div className="story-table" role="group" aria-label={getRowText(head)} tabIndex={0}>
      <table dir="auto">
        <thead>
          <tr>{drawCells(head, 'th')}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows are never reordered
            <tr key={index}>{drawCells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function List({ items, ordered }: { items: readonly ListItem[]; ordered: boolean }) {
  const drawn = items.map(({ number, dash, blocks }, index) => (
    <li
      // oxlint-disable-next-line react/no-array-index-key -- items are never reordered
      key={index}
      value={number ?? undefined}
      dir={getDirection(blocks)}
      className={dash ? 'story-dash' : undefined}
    >
      <InnerBlocks blocks={blocks} />
    </li>
  ));
  if (!ordered) return <ul>{drawn}</ul>;
  const wide = items.some(({ number }) => number !== null && number >= WIDE_NUMBER);
  return <ol className={wide ? 'story-wide' : undefined}>{drawn}</ol>;
}

/** A container that starts with a paragraph takes its direction, so that its marker or border is on the correct side. */
function getDirection(blocks: readonly Block[]): 'auto' | undefined {
  return blocks[0]?.kind === 'paragraph' ? 'auto' : undefined;
}

/** Renders the first paragraph of an item or a quote without an element of its own. */
function InnerBlocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) =>
    index === 0 && block.kind === 'paragraph' ? (
      <Spans key="first" spans={block.spans} />
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- blocks are never reordered
      <BlockView key={index} block={block} />
    ),
  );
}

function Spans({ spans }: { spans: readonly Span[] }) {
  return spans.map((span) => <SpanView key={span.at} span={span} />);
}

function SpanView({ span }: { span: Span }) {
  switch (span.kind) {
    case 'text':
      return span.text;
    case 'action':
      return (
        <em>
          <Spans spans={span.spans} />
        </em>
      );
    case 'stress':
      return (
        <strong>
          <Spans spans={span.spans} />
        </strong>
      );
    case 'strike':
      return (
        <s>
          <Spans spans={span.spans} />
        </s>
      );
    case 'speech':
      return (
        <span className="story-speech">
          <Spans spans={span.spans} />
        </span>
      );
    case 'code':
      return <code>{span.text}</code>;
    case 'picture':
      return <PictureNote text={span.text} />;
    case 'link':
      return (
        <a
          href={span.href}
          title={span.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="link"
        >
          <Spans spans={span.spans} />
          {span.host === undefined ? null : (
            <>
              {' '}
              <bdi className="text-text-quiet">({span.host})</bdi>
            </>
          )}
        </a>
      );
  }
}

/** The alternative text of an image. Loading an external image would reveal the reader to its server. */
function PictureNote({ text }: { text: string }) {
  const words = useTranslate('chat');
  return (
    <span className="story-picture">
      {text.trim() === '' ? words('pictureNotLoaded') : words('pictureNotLoadedNamed', { text })}
    </span>
  );
}
