// Tables that sort, and buttons that copy: the page says everything without them.
(function () {
  'use strict';

  function key(row, column) {
    var cell = row.cells[column];
    var value = cell.getAttribute('data-v');
    if (value === null) { return cell.textContent.trim().toLowerCase(); }
    return value === '' ? null : Number(value);
  }

  // What has no value goes last in either direction.
  function sort(table, column, down) {
    var body = table.tBodies[0];
    var rows = Array.prototype.map.call(body.rows, function (row, at) { return { row: row, at: at, key: key(row, column) }; });
    rows.sort(function (a, b) {
      if (a.key === null || b.key === null) { return (a.key === null) - (b.key === null) || a.at - b.at; }
      if (a.key === b.key) { return a.at - b.at; }
      return (a.key < b.key ? -1 : 1) * (down ? -1 : 1);
    });
    rows.forEach(function (each) { body.appendChild(each.row); });
  }

  function makeSortable(table) {
    var heads = table.tHead.rows[0].cells;
    Array.prototype.forEach.call(heads, function (head, column) {
      if (head.classList.contains('i')) { return; }
      var button = document.createElement('button');
      button.type = 'button';
      while (head.firstChild) { button.appendChild(head.firstChild); }
      head.appendChild(button);
      button.addEventListener('click', function () {
        var down = head.getAttribute('aria-sort') === 'ascending';
        Array.prototype.forEach.call(heads, function (other) { other.removeAttribute('aria-sort'); });
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        sort(table, column, down);
      });
    });
  }

  function copyText(pre) {
    if (navigator.clipboard && window.isSecureContext) { return navigator.clipboard.writeText(pre.textContent); }
    var range = document.createRange();
    range.selectNodeContents(pre);
    var selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return document.execCommand('copy') ? Promise.resolve() : Promise.reject(new Error('not allowed'));
  }

  function makeCopyable(pre) {
    var button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', function () {
      copyText(pre).then(function () { button.textContent = 'Copied'; }, function () { button.textContent = 'Select and copy by hand'; });
    });
    pre.parentNode.insertBefore(button, pre);
  }

  document.querySelectorAll('table.sortable').forEach(makeSortable);
  document.querySelectorAll('pre.copyable').forEach(makeCopyable);
}());
