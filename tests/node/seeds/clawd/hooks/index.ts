// What the document calls src/hooks/index.js.
export * from 'grapnel/clawd';
