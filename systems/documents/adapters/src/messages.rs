//! The phrases of document processing in every language.

use hansang_core::phrases;

phrases! {
    NOT_SUPPORTED = "files of the type {0} cannot be read: use PDF, DOCX, XLSX, PPTX, HWP, HWPX, HTML, Markdown, text or a picture",
        "{0} 형식의 파일은 읽을 수 없습니다. PDF, DOCX, XLSX, PPTX, HWP, HWPX, HTML, Markdown, 텍스트, 그림 파일을 사용하세요";
    OLD_FORMAT = "the old format {0} cannot be read: save the file as {1} and upload it again",
        "오래된 {0} 형식은 읽을 수 없습니다. {1} 형식으로 저장한 뒤 다시 올리세요";
    EMPTY = "the file is empty: upload it again", "파일이 비어 있습니다. 다시 올리세요";
    TRUNCATED = "the {0} file ends early: upload it again", "{0} 파일이 중간에 끊겨 있습니다. 다시 올리세요";
    DAMAGED = "the {0} file is damaged: open and save it in its program, and upload it again",
        "{0} 파일이 손상되었습니다. 원래 프로그램에서 열어 저장한 뒤 다시 올리세요";
    ENCRYPTED = "the {0} file needs a password: save it without one and upload it again",
        "{0} 파일에 암호가 걸려 있습니다. 암호 없이 저장한 뒤 다시 올리세요";
    EXPANDS_TOO_MUCH = "the file unpacks to more than {0} MB: split it into smaller files",
        "파일의 압축을 풀면 {0}MB가 넘습니다. 더 작은 파일로 나누세요";
    TOO_MANY_PIXELS = "the picture has more than {0} megapixels: make it smaller first",
        "그림이 {0}메가픽셀보다 큽니다. 먼저 크기를 줄이세요";
    TOO_MANY_PAGES = "the file has more than {0} pages: split it into smaller files",
        "파일이 {0}쪽보다 많습니다. 더 작은 파일로 나누세요";
    OUT_OF_MEMORY = "reading the file needs more than {0} MB of memory: split it into smaller files",
        "파일을 읽는 데 {0}MB보다 많은 메모리가 필요합니다. 더 작은 파일로 나누세요";
    TOO_SLOW = "reading the file takes longer than {0} seconds: split it into smaller files",
        "파일을 읽는 데 {0}초보다 오래 걸립니다. 더 작은 파일로 나누세요";
    CRASHED = "reading the file failed in an unexpected way: open and save it in its program, and upload it again",
        "파일을 읽는 중 예기치 않은 오류가 났습니다. 원래 프로그램에서 열어 저장한 뒤 다시 올리세요";
    NOT_READABLE = "the file or the working directory cannot be read or written on this machine: check its disk",
        "이 컴퓨터에서 파일이나 작업 디렉터리를 읽거나 쓸 수 없습니다. 디스크를 확인하세요";
    NOT_STARTED = "the process that reads files cannot be started: check the installation",
        "파일을 읽는 프로세스를 시작할 수 없습니다. 설치를 확인하세요";

    FILE_MISSING = "the file of the document is gone: upload it again", "문서의 파일이 없습니다. 다시 올리세요";
    NO_TEXT = "the document has no text", "문서에 텍스트가 없습니다";

    NO_TESSERACT = "OCR is not available: install tesseract with the languages kor and eng",
        "OCR을 사용할 수 없습니다. tesseract와 kor, eng 언어를 설치하세요";
    NO_LANGUAGE = "OCR has none of the languages {0}: install them for tesseract",
        "OCR에 {0} 언어가 없습니다. tesseract에 설치하세요";
    OCR_OFF = "OCR is turned off", "OCR이 꺼져 있습니다";
    OCR_NOT_NEEDED = "every page has text", "모든 쪽에 텍스트가 있습니다";
    OCR_INCOMPLETE = "OCR failed on these pages: {0}. Look at their images, or reanalyse the pages",
        "OCR에 실패한 쪽: {0}. 그 쪽의 그림을 확인하거나 그 쪽만 다시 분석하세요";
    OCR_FAILED = "OCR of page {0} failed: look at its image", "{0}쪽의 OCR이 실패했습니다. 그 쪽의 그림을 확인하세요";
    OCR_SLOW = "OCR of page {0} takes longer than {1} seconds: use an image of a lower resolution",
        "{0}쪽의 OCR이 {1}초보다 오래 걸립니다. 더 낮은 해상도의 그림을 사용하세요";

    MODEL_UNAVAILABLE = "the language model cannot be reached: check its address, or try again later",
        "언어 모델에 연결할 수 없습니다. 주소를 확인하거나 잠시 후 다시 시도하세요";
    MODEL_REFUSED = "the language model refused the call with the status {0}: check its key and its name",
        "언어 모델이 상태 {0}(으)로 요청을 거절했습니다. 키와 이름을 확인하세요";
    MODEL_SLOW = "the language model did not answer within {0} seconds: try again later",
        "언어 모델이 {0}초 안에 답하지 않았습니다. 잠시 후 다시 시도하세요";
    MODEL_ANSWER = "the language model sent something that is not an answer: check that its address is that of an OpenAI-compatible API",
        "언어 모델이 답이 아닌 것을 보냈습니다. OpenAI 호환 API 주소인지 확인하세요";

    INDEX_UNAVAILABLE = "the search index cannot be read or written: check the disk, or delete its directory to build it again",
        "검색 색인을 읽거나 쓸 수 없습니다. 디스크를 확인하거나 디렉터리를 삭제하여 다시 만드세요";
    NO_INDEX = "this processor has no search index: the text is added when it is searched",
        "이 처리기에는 검색 색인이 없습니다. 글은 검색할 때 색인에 넣습니다";
    QUERY_EMPTY = "type at least one word to search for", "검색할 단어를 하나 이상 입력하세요";
}
