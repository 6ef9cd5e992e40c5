#include "tools/text/markup.h"

#include "tools/text/names.h"

namespace arenaproof {

std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : PrintableSentence(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string Attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + Escaped(value) + "\"";
}

std::string HtmlPage(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + Escaped(title) +
         "</title>\n<style>body{font:13px 'DejaVu Sans',Helvetica,Arial,sans-serif;margin:16px}"
         "svg{max-width:100%;height:auto}table{border-collapse:collapse}"
         "td,th{border:1px solid #888;padding:2px 6px;text-align:left}td.n{text-align:right}"
         "@media print{table{font-size:9px}}</style></head><body>\n" +
         body + "</body></html>\n";
}

}  // namespace arenaproof
